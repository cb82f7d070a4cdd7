import { expect, test } from "vitest";
import { consent, redirectUri, verifier } from "@/tests/support/connecting/clients";
import { giveQuestion } from "@/tests/support/connecting/question";
import { gatewayUrl, testEngine } from "@/tests/support/harness";
import { startInstance } from "@/tests/support/instances";
import { mintOwner } from "@/tests/support/personas";

// Clients that connect by the address, at two processes on one database, one of which ends in the middle.
const engine = await testEngine();
engine.setNow(new Date());
const settings = {
  DATABASE_URL: engine.env.DATABASE_URL ?? "",
  PUBLIC_URL: gatewayUrl,
  PEER_LIMIT: "1000000",
};
const instances = [await startInstance(settings), await startInstance(settings)] as const;

async function sent(place: 0 | 1, path: string, form: Record<string, string>) {
  const { status, body } = await instances[place].deliver({
    url: gatewayUrl + path,
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(form).toString(),
  });
  return { status, answer: JSON.parse(body) };
}

async function called(place: 0 | 1, token: string): Promise<number> {
  const { status } = await instances[place].deliver({
    url: `${gatewayUrl}/mcp`,
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  return status;
}

async function consented() {
  const owner = await mintOwner(engine);
  const { question: name, clientId: client_id } = await giveQuestion(engine);
  const code = (await consent(engine, owner, { name })).get("code") ?? "";
  const bound = { client_id, redirect_uri: redirectUri, code_verifier: verifier };
  return { client_id, form: { grant_type: "authorization_code", code, ...bound } };
}

test("eight refreshes at once at two processes each give a pair, and the connection goes on at both", async () => {
  const { client_id, form } = await consented();
  const { answer: first } = await sent(0, "/oauth/token", form);
  const again = { grant_type: "refresh_token", client_id, refresh_token: first.refresh_token };
  const places = [0, 1, 0, 1, 0, 1, 0, 1] as const;
  const answers = await Promise.all(places.map((place) => sent(place, "/oauth/token", again)));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const tokens = [first, ...answers.map(({ answer }) => answer)].map((pair) => pair.access_token);
  for (const token of tokens)
    expect([await called(0, token), await called(1, token)]).toEqual([200, 200]);
});

test("a code that two processes get at once is redeemed by one, and its connection ends at both", async () => {
  const { form } = await consented();
  const answers = await Promise.all(
    ([0, 1] as const).map((place) => sent(place, "/oauth/token", form)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const token = answers.map(({ answer }) => answer.access_token).find(Boolean);
  expect([await called(0, token), await called(1, token)]).toEqual([401, 401]);
});

test("a process that is killed between code and token leaves a whole pair or none", async () => {
  const { client_id: clientId, form } = await consented();
  const lost = sent(0, "/oauth/token", form).catch(() => null);
  await instances[0].end("kill -9");
  const first = await lost;
  const { status } = await sent(1, "/oauth/token", form);
  if (first?.status === 200) expect(status).toBe(400);
  const { id } = await engine.db.connectionToken.findFirstOrThrow({ where: { clientId } });
  expect(await engine.db.connectionSecret.count({ where: { tokenId: id } })).toBe(2);
  const { form: next } = await consented();
  expect((await sent(1, "/oauth/token", next)).status).toBe(200);
});
