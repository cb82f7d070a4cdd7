import { beforeEach, expect, test } from "vitest";
import { POST as replay } from "@/app/api/webhook/deliveries/[id]/replay/route";
import { GET as list } from "@/app/api/webhook/deliveries/route";
import { GET as get, PATCH, PUT as put, DELETE as remove } from "@/app/api/webhook/route";
import { POST as rotate } from "@/app/api/webhook/secret/route";
import { POST as sendTest } from "@/app/api/webhook/test/route";
import type { RouteFunction } from "@/lib/http/protocol-route";
import { sendWebhooks } from "@/lib/services/webhooks/send";
import { startReceiver, stopClock } from "@/tests/support/connecting/receiver";
import { testEngine, testNow } from "@/tests/support/harness";
import { giveToken, type Minted, mintAgent, mintOwner } from "@/tests/support/personas";
import { type Reply, replyOf } from "@/tests/support/wire";

stopClock();
const engine = await testEngine();
const receiver = await startReceiver();
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  agent = await mintAgent(engine);
  receiver.messages.length = 0;
});

type Method = "GET" | "PUT" | "POST" | "DELETE" | "PATCH";

async function at(
  [route, method, rest = ""]: [RouteFunction, Method, string?],
  { by = agent, body }: { by?: Pick<Minted, "client">; body?: unknown } = {},
): Promise<Reply> {
  const target = `/api/webhook${rest}`;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const {
    url,
    headers,
    body: sent,
  } = await by.client.signedRequest({ method, target, body: text });
  return replyOf(await route(new Request(url, { method, headers, body: sent })));
}

const set = (url: unknown = receiver.url) => at([put, "PUT"], { body: { url } });

test("an agent sets its webhook, tests it, reads the log, and replays a message", async () => {
  const { status, body } = await set();
  expect([status, body.data]).toMatchObject([201, { url: receiver.url, state: "active" }]);
  receiver.trust((body.data as { secret: string }).secret);
  const tested = await at([sendTest, "POST", "/test"]);
  const { id } = tested.body.data as { id: string };
  await sendWebhooks(engine);
  const listed = await at([list, "GET", "/deliveries"]);
  expect([tested.status, listed.body.data]).toMatchObject([
    202,
    [{ id, type: "webhook.test", state: "done", answer: "204", message: { data: {} } }],
  ]);
  const again = await at([replay, "POST", `/deliveries/${id}/replay`]);
  await sendWebhooks(engine);
  expect([again.status, receiver.messages.map((one) => one.id)]).toEqual([202, [id, id]]);
});

test("the secret is shown with a new webhook and after a rotation, and never again", async () => {
  const made = (await set()).body.data as { secret: string };
  const rotated = (await at([rotate, "POST", "/secret"])).body.data as { secret: string };
  expect(new Set([made.secret, rotated.secret]).size).toBe(2);
  const others = [await at([get, "GET"]), await set("https://agent.example.com/")];
  const shown = JSON.stringify(others.map(({ body }) => body));
  expect(shown).not.toContain(made.secret);
  expect(shown).not.toContain(rotated.secret);
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
});

test("pages of the log follow each other", async () => {
  await set();
  for (let count = 0; count < 3; count++) await at([sendTest, "POST", "/test"]);
  const first = await at([list, "GET", "/deliveries?limit=2"]);
  const { next } = first.body.meta as unknown as { next: string };
  const second = await at([list, "GET", `/deliveries?limit=2&after=${next}`]);
  expect([first, second].map(({ body }) => (body.data as unknown[]).length)).toEqual([2, 1]);
  expect(second.body.meta).toMatchObject({ next: null });
});

test("what was removed is not found, and other methods are named", async () => {
  await set();
  expect((await at([remove, "DELETE"])).status).toBe(200);
  const answers = [
    await at([get, "GET"]),
    await at([remove, "DELETE"]),
    await at([sendTest, "POST", "/test"]),
    await at([rotate, "POST", "/secret"]),
    await at([replay, "POST", "/deliveries/msg_x/replay"]),
  ];
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(404));
  const other = await at([PATCH, "PATCH"]);
  expect([other.status, other.headers.get("allow")]).toEqual([405, "GET, PUT, DELETE"]);
});

test.each([1, null, "", "ftp://x", "https://127.0.0.1/", "https://x/".padEnd(2_001, "x")])(
  "%j is refused as an address",
  async (url) => {
    expect((await set(url)).status).toBe(400);
  },
);

test("no token, no user's key and no stranger has a webhook", async () => {
  const owner = await mintOwner(engine);
  const { token } = await giveToken(engine, { owner, agent });
  const url = "http://gateway.test/api/webhook";
  const ofToken = await get(new Request(url, { headers: { Authorization: `Bearer ${token}` } }));
  const ofUser = await at([get, "GET"], { by: owner });
  const ofNobody = await get(new Request(url));
  expect([ofToken.status, ofUser.status, ofNobody.status]).toEqual([403, 403, 401]);
});
