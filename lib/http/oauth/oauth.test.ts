import { beforeEach, describe, expect, test } from "vitest";
import {
  authorizeAt,
  callAt,
  connectClient,
  consent,
  nameOfQuestion,
  openConnectDoor,
  question,
  refreshAt,
  registerAt,
  toolAt,
} from "@/tests/support/connecting/clients";
import { testEngine, testNow } from "@/tests/support/harness";
import { giveMemory, mintOwner, type Owner } from "@/tests/support/personas";

const engine = await testEngine({ LIMIT_REGISTER: "1000" });
const issuer = await openConnectDoor(engine);

let owner: Owner;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  await giveMemory(engine, owner.profileId, { category: "prof:interests", content: "Likes tea." });
});

const pass = (seconds: number) => engine.setNow(new Date(testNow.getTime() + seconds * 1_000));
const reads = async (token: string) =>
  (await toolAt(issuer, { token, name: "read_profile" })).status;

test("a client that registers, is consented to and redeems its code reads what was switched on", async () => {
  const { access_token: token, ...pair } = await connectClient({ engine, issuer, owner });
  expect(pair).toMatchObject({ scope: "prof:interests propose", expires_in: 86_400 });
  const { result } = await toolAt(issuer, { token, name: "read_profile" });
  expect(result.structuredContent.memories["prof:interests"]).toMatchObject([
    { content: "Likes tea." },
  ]);
  const list = await (await callAt(issuer, { token, method: "tools/list" })).json();
  expect(list.result.tools.map(({ name }: { name: string }) => name)).toContain("whoami");
});

describe("a refresh token", () => {
  test("gives a new pair, and the access token before it reads on until its own end", async () => {
    const first = await connectClient({ engine, issuer, owner });
    const response = await refreshAt(issuer, first);
    expect(response.status).toBe(200);
    const second = await response.json();
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await reads(first.access_token)).toBe(200);
    expect(await reads(second.access_token)).toBe(200);
  });

  test("works again within the minute of grace, and ends all of the connection after it", async () => {
    const first = await connectClient({ engine, issuer, owner });
    const second = await (await refreshAt(issuer, first)).json();
    pass(30);
    expect((await refreshAt(issuer, first)).status).toBe(200);
    expect(await reads(second.access_token)).toBe(200);
    pass(91);
    const reused = await refreshAt(issuer, first);
    expect([reused.status, (await reused.json()).error]).toEqual([400, "invalid_grant"]);
    expect(await reads(first.access_token)).toBe(401);
    expect(await reads(second.access_token)).toBe(401);
    const next = await refreshAt(issuer, { ...second, clientId: first.clientId });
    expect(next.status).toBe(400);
  });
});

test("a code that comes again ends what it gave", async () => {
  const { access_token, redeem } = await connectClient({ engine, issuer, owner });
  expect((await redeem()).status).toBe(400);
  expect(await reads(access_token)).toBe(401);
});

test("a refusal goes back to the client, with its state and who answers", async () => {
  const clientId = await registerAt(issuer);
  const begun = await authorizeAt(issuer, question(clientId, { state: "s1" }));
  const answer = await consent(engine, owner, { name: await nameOfQuestion(begun), scopes: [] });
  expect(Object.fromEntries(answer)).toEqual({ error: "access_denied", state: "s1", iss: issuer });
});
