import { expect, test } from "vitest";
import { createClient } from "@/lib/protocol/client";
import { emptyDatabase } from "@/tests/support/database";
import { testEngine } from "@/tests/support/harness";
import { mintAgent, mintOwner } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { inTransaction } from "@/tests/support/transaction";
import { profilePath } from "@/tests/support/wire";

// A gateway that is killed after it has admitted a request and before it has answered.
const DATABASE_URL = await emptyDatabase();
const killed = startGateway({ DATABASE_URL });
const address = await addressOf(killed);
const engine = await testEngine({ DATABASE_URL });
engine.setNow(new Date());

test("its nonce is used up, and what it asked for is there once, however often it is asked for", async () => {
  const { did, profileId } = await mintOwner(engine, { policies: [{ permissions: ["propose"] }] });
  const agent = await mintAgent(engine);
  const client = createClient({ ...agent, baseUrl: address });
  const proposed = { content: "Likes tea.", category: "prof:interests", confidence: 1 };
  const body = new TextEncoder().encode(JSON.stringify(proposed));
  const propose = { method: "POST", target: profilePath(did, "/memories/propose"), body };
  const request = await client.signedRequest(propose);
  await inTransaction(engine.pool, async (tx) => {
    await tx.query(`SELECT FROM "Profile" WHERE id = $1 FOR UPDATE`, [profileId]);
    const answer = client.send(request).catch(() => "none");
    await expect.poll(() => engine.db.nonce.count({ where: { did: agent.did } })).toBe(1);
    await killed.stop("SIGKILL");
    expect(await answer).toBe("none");
  });
  const restarted = startGateway({ DATABASE_URL, PORT: new URL(address).port });
  const again = createClient({ ...agent, baseUrl: await addressOf(restarted) });
  expect(await (await again.send(request)).json()).toMatchObject({ error: { code: "PROF008" } });
  const { ok } = await again.send(await again.signedRequest(propose));
  expect(ok).toBe(true);
  expect(await engine.db.proposal.count({ where: { profileId } })).toBe(1);
  await restarted.stop();
});
