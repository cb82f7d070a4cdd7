import { type Draft, draft, type World } from "../message";
import type { Random } from "../random";
import { hostileValue, strings } from "../values";

/** What a program sends that connects by the address: a form, a question, a registration, or a call of a tool. */
export function doorCase(random: Random, world: World): Draft {
  return random.pick([form, question, registration, call, call])(random, world);
}

function form(random: Random, { clientId }: World): Draft {
  const target = random.pick(["/oauth/token", "/oauth/revoke"]);
  const grant = random.pick(["authorization_code", "refresh_token"]);
  const body = Buffer.from(
    spoiltPairs(random, {
      ...{ grant_type: grant, client_id: clientId, code: "x".repeat(43) },
      ...{ redirect_uri: redirectUri, code_verifier: "v".repeat(43), token: "x" },
      refresh_token: "x".repeat(43),
    }),
  );
  const headers: Draft["headers"] = [["Content-Type", "application/x-www-form-urlencoded"]];
  return draft(`door ${target}`, { caller: "nobody", method: "POST", target, body, headers });
}

function question(random: Random, { clientId }: World): Draft {
  const pairs = spoiltPairs(random, {
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state: "s" },
    ...{ code_challenge: "c".repeat(43), code_challenge_method: "S256", scope: "prof:interests" },
  });
  return draft("door /oauth/authorize", {
    caller: "nobody",
    target: `/oauth/authorize?${pairs}`,
  });
}

function registration(random: Random): Draft {
  const names = ["client_name", "redirect_uris", "grant_types", "scope", "contacts"];
  const body = objectOf(random, { redirect_uris: `["${random.pick(redirects)}"]` }, names);
  return posted("door /oauth/register", { caller: "nobody", target: "/oauth/register", body });
}

const tools = ["whoami", "read_profile", "search_memories", "request_access", "request_status"];
const versions = ["2026-07-28", "2025-11-25", "2025-03-26", "", "x"];

function call(random: Random): Draft {
  const name = random.pick([...tools, "propose", "__proto__"]);
  const members = ["query", "scopes", "purpose", "limit", "category", "id", "answer"];
  const version = random.pick(versions);
  const meta = `{"io.modelcontextprotocol/protocolVersion":"${version}","io.modelcontextprotocol/clientCapabilities":{}}`;
  const params = `{"name":"${name}","arguments":${objectOf(random, {}, members)},"_meta":${meta}}`;
  const right = { jsonrpc: '"2.0"', id: "1", method: '"tools/call"', params };
  const message = random.chance(0.8)
    ? objectOf(random, right, [])
    : objectOf(random, right, ["id"]);
  const headers: Draft["headers"] = [
    ["Accept", "application/json, text/event-stream"],
    ["MCP-Protocol-Version", version === "" ? null : version],
    ["Mcp-Method", random.chance(0.9) ? "tools/call" : "tools/list"],
    ["Mcp-Name", random.chance(0.9) ? name : "whoami"],
  ];
  return { ...posted("door /mcp", { caller: "client", target: "/mcp", body: message }), headers };
}

function posted(
  kind: string,
  { body, ...sent }: { body: string } & Pick<Draft, "caller" | "target">,
) {
  return draft(kind, { method: "POST", body: Buffer.from(body.toWellFormed()), ...sent });
}

/** These members, and now and then another one or a hostile value in their place. */
function objectOf(random: Random, right: Record<string, string>, names: readonly string[]): string {
  const members = Object.entries(right);
  for (const name of names) {
    if (random.chance(0.4)) members.push([name, hostileValue(random)]);
  }
  return `{${members.map(([name, value]) => `"${name}":${value}`).join()}}`;
}

const redirectUri = "http://localhost/callback";
const redirects = [
  ...[redirectUri, "http://localhost:99999/callback", "http://[::1]/callback", "cursor://x/y"],
  ...["https://client.test/callback", "javascript:alert(1)", "http://client.test/callback"],
];

/** Of each pair: right, hostile, doubled, or left out. */
function spoiltPairs(random: Random, right: Record<string, string>): string {
  const values = [...strings, ...redirects, "x".repeat(3_000)];
  const pairs = Object.entries(right).flatMap(([name, value]): [string, string][] => {
    const hostile = random.pick(values).toWellFormed();
    return random.pick([
      ...Array.from({ length: 9 }, () => [[name, value]] as [string, string][]),
      [[name, hostile]],
      [
        [name, value],
        [name, hostile],
      ],
      [],
    ]);
  });
  return pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
}
