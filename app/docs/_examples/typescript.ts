import type { Who } from "./who";

/** An ES module whatever a package.json beside it says: the example awaits at the top level. */
export const typescriptFile = "agent.mts";

export function typescriptExample({ gateway, agent, keyFile, owner }: Who): string {
  return `import { createHash, createPrivateKey, randomBytes, sign } from "node:crypto";
import { readFileSync } from "node:fs";

const gateway = "${gateway}";
const did = "${agent}";
const owner = "${owner}";
const key = createPrivateKey(readFileSync("${keyFile}"));

type Asked = { query?: Record<string, string>; body?: unknown };

async function call(method: string, path: string, { query = {}, body }: Asked = {}) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const search = canonicalQuery(query);
  const ts = new Date().toISOString();
  const nonce = randomBytes(16).toString("hex");
  const signed = [
    "PROF-Signature-v1",
    method,
    new URL(gateway).host,
    path,
    search,
    ts,
    nonce,
    createHash("sha256").update(text).digest("hex"),
  ].join("\\n");
  const sig = sign(null, Buffer.from(signed), key).toString("base64");
  const response = await fetch(gateway + path + (search && \`?\${search}\`), {
    method,
    headers: {
      Authorization: \`PROF-Signature did="\${did}", sig="\${sig}", ts="\${ts}", nonce="\${nonce}"\`,
      ...(text && { "Content-Type": "application/json" }),
    },
    body: text || undefined,
  });
  return response.json();
}

// Sorted by name, and only A-Z a-z 0-9 - . _ ~ left plain.
function canonicalQuery(query: Record<string, string>): string {
  const encode = (part: string) =>
    encodeURIComponent(part).replace(
      /[!'()*]/g,
      (character) => \`%\${character.charCodeAt(0).toString(16).toUpperCase()}\`,
    );
  return Object.entries(query)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => \`\${encode(name)}=\${encode(value)}\`)
    .join("&");
}

const profile = \`/prof/v1/profile/\${owner}\`;
const show = (answer: unknown) => console.dir(answer, { depth: null });
show(await call("GET", profile, { query: { scopes: "prof:preferences" } }));
show(
  await call("POST", \`\${profile}/memories/propose\`, {
    body: { category: "prof:interests", content: "Plays chess on Sundays.", confidence: 0.9 },
  }),
);
show(await call("GET", \`\${profile}/proposals\`, { query: { status: "pending", limit: "10" } }));`;
}
