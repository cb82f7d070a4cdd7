import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { installEngine } from "@/lib/engine/engine";
import { createLog } from "@/lib/engine/log";
import { newId } from "@/lib/engine/random";
import { createFrontDoor } from "@/server/front-door/front-door";
import { protocolRoute } from "@/server/front-door/protocol-routes";
import { listen } from "@/server/listen";
import { testEngine } from "@/tests/support/harness";
import { mintAgent, mintOwner } from "@/tests/support/personas";
import { profilePath } from "@/tests/support/wire";

// Whatever a stranger writes wherever: a log line is one of ours, whole, and without a word of theirs.
const lines: string[] = [];
const destination = { write: (line: string) => void lines.push(line) };
const quiet = await testEngine({ PEER_LIMIT: "1000000", PUBLIC_URL: "http://gateway.test" });
const engine = { ...quiet, log: createLog({ level: "debug", destination }) };
installEngine(engine);
const server = createFrontDoor({
  engine,
  protocolRoute,
  next: async () => {
    throw new Error(`a page fails, with ${word} in its error`);
  },
});
const port = await listen(server, "127.0.0.1", 0);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const word = newId("canary");
const { did } = await mintOwner(engine, { policies: [{}] });
const { client } = await mintAgent(engine, { name: word });
const forged = `${word}","level":50,"msg":"forged"}`;
const escaped = encodeURIComponent(`${word}\r\n{"level":50}\u001b[2J\u2028\u0085`);

async function send(line: string, headers: string[], body = ""): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const all = ["Host: gateway.test", "Connection: close", ...headers];
  socket.write(`${line} HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n${body}`);
  return text(socket);
}

test.each<[where: string, line: string, headers: string[], body?: string]>([
  ["the path", `GET /prof/v1/${escaped}`, []],
  ["the path, raw", `GET /prof/v1/${word}\x1b[2J`, []],
  ["the DID in the path", `GET /prof/v1/profile/did:prof:user:local:${word}`, []],
  ["the query", `GET /prof/v1/profile/did:prof:x?scopes=${escaped}`, []],
  ["the method", `${word} /prof/v1/x`, []],
  ["the credential", "GET /prof/v1/profile", [`Authorization: Bearer profct_${word}`]],
  [
    "the DID that is claimed",
    "GET /prof/v1/profile",
    [`Authorization: PROF-Signature did="${word}"`],
  ],
  ["the version", "GET /prof/v1/profile", [`PROF-Version: ${forged}`]],
  ["the request id", "GET /prof/v1/profile", [`X-Request-Id: ${forged}`]],
  ["the browser", "GET /prof/v1/profile", [`User-Agent: ${forged}`, `Referer: ${forged}`]],
  ["the address", "GET /prof/v1/profile", [`X-Forwarded-For: ${forged}`, `Forwarded: ${forged}`]],
  ["a cookie", "GET /api/profiles", [`Cookie: gateway-session=${word}`]],
  ["a page that fails", `GET /${word}`, []],
  ["a header of its own", "GET /prof/v1/profile", [`${word}: x`]],
  ["a header with a line in it", "GET /prof/v1/profile", [`X: a\r{"level":50}`]],
  ["a body", "POST /prof/v1/profile/memories/propose", ["Content-Length: 5"], `"${word}`],
  ["what is no request", `\x1b[2J${word}`, []],
])("a word of theirs in %s is in no line", async (_where, line, headers, body) => {
  await send(line, headers, body);
  expectOwnLines();
});

test("nor is what an agent proposes, asks for, or is refused", async () => {
  const said = lines.length;
  const input = { content: `${word}\n{"level":50}`, category: "prof:interests" };
  await expect(client.proposeMemory({ did, ...input })).rejects.toThrow();
  await client.getProfile({ did });
  const purpose = { type: "research", description: word };
  await expect(
    client.requestAccess({ did, scopes: ["prof:health"], purpose }),
  ).resolves.toBeDefined();
  const signed = await client.signedRequest({ method: "GET", target: profilePath(word) });
  await client.send(signed);
  expect(lines.length).toBeGreaterThan(said);
  expectOwnLines();
});

const names = [
  "level",
  "time",
  "msg",
  "requestId",
  "endpoint",
  "status",
  "code",
  "durationMs",
  "error",
  // Of a block of the event loop, on a busy machine.
  "method",
  "count",
];

function expectOwnLines(): void {
  for (const line of lines) {
    expect(line).not.toContain(word);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(line).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+\n$/);
    expect(names).toEqual(expect.arrayContaining(Object.keys(JSON.parse(line))));
  }
}
