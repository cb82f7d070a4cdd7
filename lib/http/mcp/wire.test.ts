import { once } from "node:events";
import { connect } from "node:net";
import { beforeEach, expect, test } from "vitest";
import type { Scope } from "@/lib/protocol/scope";
import { decideConsent, listPendingConsents } from "@/lib/services/access/consents";
import { askWhy } from "@/lib/services/requests/inquiry";
import { listTokens } from "@/lib/services/tokens/list-tokens";
import { revokeToken } from "@/lib/services/tokens/tokens";
import {
  callAt,
  connectClient,
  openConnectDoor,
  type Pair,
  toolAt,
} from "@/tests/support/connecting/clients";
import { testEngine, testNow } from "@/tests/support/harness";
import { giveMemory, mintOwner, type Owner, signedIn } from "@/tests/support/personas";

// What comes to /mcp without the official client.

const engine = await testEngine({ LIMIT_REGISTER: "1000" });
const issuer = await openConnectDoor(engine);

let owner: Owner;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  await giveMemory(engine, owner.profileId, { category: "prof:health", content: "Sleeps badly." });
});

function sentRaw(token: string, body: string): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": "2025-03-26",
  };
  return fetch(`${issuer}/mcp`, { method: "POST", headers, body });
}

test("that its owner agreed is believed to no client: only what the owner decided counts", async () => {
  const { access_token: token } = await connectClient({ engine, issuer, owner });
  const params = {
    name: "request_access",
    arguments: { scopes: ["prof:health"], purpose: { type: "personalization" } },
    inputResponses: { consent: { action: "accept" } },
  };
  const answered = await (await callAt(issuer, { token, method: "tools/call", params })).json();
  expect(answered.result.structuredContent.state).toBe("waiting");
  expect(await listPendingConsents(signedIn(engine, owner), owner.did)).toHaveLength(1);
  const reading = { name: "read_profile", arguments: { scopes: ["prof:health"] } };
  const read = await callAt(issuer, { token, method: "tools/call", params: reading });
  expect(await read.text()).not.toContain("Sleeps badly.");
});

test("messages come one at a time: of a batch, nothing is done", async () => {
  const { access_token: token } = await connectClient({ engine, issuer, owner });
  const call = (id: number, content: string) => ({
    ...{ jsonrpc: "2.0", id, method: "tools/call" },
    params: {
      name: "propose_memory",
      arguments: { content, category: "prof:interests", confidence: 1 },
    },
  });
  const batch = JSON.stringify([call(1, "Likes tea."), call(2, "Likes trains.")]);
  for (const before of [" \n", "\ufeff"]) {
    expect((await sentRaw(token, before + batch)).status).toBe(400);
  }
  expect(await engine.db.proposal.count({ where: { profileId: owner.profileId } })).toBe(0);
});

test("what two readers could read differently, what is too deep, or what no text has, is refused", async () => {
  const { access_token: token } = await connectClient({ engine, issuer, owner });
  const bodies = ['{"method":"tools/list","method":"tools/call"}', '{"id":"\\u0000"}'];
  for (const body of [...bodies, `{"a":${"[".repeat(40)}${"]".repeat(40)}}`]) {
    expect((await sentRaw(token, body)).status).toBe(400);
  }
});

test("a body comes in chunks or with its length, and may be as long as any of the protocol's", async () => {
  const { access_token: token } = await connectClient({ engine, issuer, owner });
  const proposal = { content: "é".repeat(9_000), category: "prof:interests", confidence: 1 };
  const text = JSON.stringify({
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name: "propose_memory", arguments: proposal },
  });
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  const init = { method: "POST", headers };
  const whole = await fetch(`${issuer}/mcp`, { ...init, body: text });
  const body = new Blob([text.replaceAll("é", "è")]).stream();
  const inChunks = await fetch(`${issuer}/mcp`, { ...init, body, duplex: "half" } as RequestInit);
  expect([whole.status, inChunks.status]).toEqual([200, 200]);
  expect(await engine.db.proposal.count({ where: { profileId: owner.profileId } })).toBe(2);
});

test("what one connection is granted when it asks for more, no other of the same program reads", async () => {
  const one = await connectClient({ engine, issuer, owner });
  const other = await connectClient({ engine, issuer, owner, clientId: one.clientId });
  const purpose = { type: "personalization" };
  const ask = (token: string, scopes: Scope[]) =>
    toolAt(issuer, { token, name: "request_access", input: { scopes, purpose } });
  const request = await ask(one.access_token, ["prof:health"]);
  await ask(other.access_token, ["prof:professional"]);
  const { id: requestId } = request.result.structuredContent;
  await askWhy(signedIn(engine, owner), { did: owner.did, id: requestId, question: "Why?" });
  const input = { id: requestId, answer: "So." };
  const theirs = await toolAt(issuer, { token: other.access_token, name: "request_status", input });
  expect(JSON.stringify(theirs.result)).toContain("PROF003");
  const own = await toolAt(issuer, { token: one.access_token, name: "request_status", input });
  expect(own.result.structuredContent.inquiry.answer).toBe("So.");
  const granting = { scopes: ["prof:health"] as const, choice: "1d" as const };
  await decideConsent(signedIn(engine, owner), { did: owner.did, requestId, ...granting });
  const reads = async ({ access_token: token }: Pair) => {
    const input = { scopes: ["prof:health"] };
    const answered = await toolAt(issuer, { token, name: "read_profile", input });
    return JSON.stringify(answered).includes("Sleeps badly.");
  };
  expect([await reads(one), await reads(other)]).toEqual([true, false]);
  const of = { profileId: owner.profileId };
  const { tokens } = await listTokens(signedIn(engine, owner), { did: owner.did, limit: 9 });
  const carrying = tokens.filter(({ scopes }) => scopes.includes("prof:health"));
  expect(carrying).toHaveLength(1);
  const [{ id: tokenId } = { id: "" }] = carrying;
  await revokeToken(signedIn(engine, owner), { did: owner.did, tokenId });
  const open = { ...of, enabled: true, origin: "consent" as const };
  expect(await engine.db.policy.count({ where: open })).toBe(0);
});

test("a connection that has asked for ten purposes leaves another of the same program its own", async () => {
  const one = await connectClient({ engine, issuer, owner });
  const other = await connectClient({ engine, issuer, owner, clientId: one.clientId });
  const ask = async (token: string, type: string) => {
    const input = { scopes: ["prof:health"], purpose: { type } };
    const { result } = await toolAt(issuer, { token, name: "request_access", input });
    return result.structuredContent?.state;
  };
  for (let n = 0; n < 10; n++) expect(await ask(one.access_token, `research_${n}`)).toBe("waiting");
  expect(await ask(one.access_token, "research_more")).toBeUndefined();
  expect(await ask(other.access_token, "research_more")).toBe("waiting");
});

test("a client of the revisions before gets its answer whole and as it is, over a plain socket", async () => {
  const { access_token: token } = await connectClient({ engine, issuer, owner });
  const body = JSON.stringify({
    ...{ jsonrpc: "2.0", id: 7, method: "tools/call" },
    params: { name: "whoami", arguments: {} },
  });
  const { hostname, port, host } = new URL(issuer);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(
    [
      "POST /mcp HTTP/1.1",
      `Host: ${host}`,
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      "Accept-Encoding: gzip, br",
      "MCP-Protocol-Version: 2025-11-25",
      `Content-Length: ${body.length}`,
      "Connection: close",
      `\r\n${body}`,
    ].join("\r\n"),
  );
  let said = "";
  socket.on("data", (chunk) => {
    said += chunk.toString();
  });
  await once(socket, "end");
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
  expect(said).not.toMatch(/content-encoding/i);
  const [, json = ""] = /(\{"jsonrpc[\s\S]*\}|\{"result[\s\S]*\})/.exec(said) ?? [];
  expect(JSON.parse(json)).toMatchObject({ id: 7, result: { structuredContent: {} } });
});
