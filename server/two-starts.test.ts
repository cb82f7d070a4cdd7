import { describe, expect, test } from "vitest";
import { createClient } from "@/lib/protocol/client";
import { signedInCookie } from "@/tests/support/dashboard-api";
import { emptyDatabase } from "@/tests/support/database";
import { testEngine } from "@/tests/support/harness";
import { mintAgent, mintOwner } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";

// `npm start` twice, at the same instant, on a database that nobody has used before.
const DATABASE_URL = await emptyDatabase();
const gateways = [startGateway({ DATABASE_URL }), startGateway({ DATABASE_URL })] as const;
const addresses = await Promise.all(gateways.map(addressOf));
const [one = "", other = ""] = addresses;
const engine = await testEngine({ DATABASE_URL });
engine.setNow(new Date());

const owner = await mintOwner(engine, { policies: [{ permissions: ["propose"] }] });
const Cookie = await signedInCookie(engine, owner);

async function idOf(address: string): Promise<unknown> {
  const answer = await fetch(`${address}/api/profiles`, { headers: { Cookie } });
  const { data } = await answer.json();
  return data[0].did;
}

/** The page of this owner on one instance: each call waits until it is told of a change. */
async function pageOn(address: string): Promise<() => Promise<void>> {
  const target = `${address}/api/live?profile=${encodeURIComponent(owner.did)}`;
  const { body } = await fetch(target, { headers: { Cookie } });
  if (body === null) throw new Error("the stream has no body");
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  return async () => {
    let chunk = await reader.read();
    while (!chunk.done && !chunk.value.includes("event: change")) chunk = await reader.read();
    expect(chunk.done).toBe(false);
  };
}

describe("two gateways that start at the same instant on an empty database", () => {
  test("are both ready, and each migration was applied once", async () => {
    for (const address of addresses) {
      const ready = await fetch(`${address}/api/health/ready`);
      expect(await ready.json()).toMatchObject({ ready: true, migrations: { pending: [] } });
    }
    const { rows } = await engine.pool.query(
      `SELECT migration_name FROM _prisma_migrations
       GROUP BY migration_name HAVING count(*) <> 1 OR count(finished_at) <> 1`,
    );
    expect(rows).toEqual([]);
  });

  test("have one secret, and a session that one began is one on the other", async () => {
    expect(await engine.db.setting.count({ where: { key: "session.secret" } })).toBe(1);
    expect(await idOf(one)).toBe(owner.did);
    expect(await idOf(other)).toBe(owner.did);
  });

  test("tell a link to the first admin each, and both open on either", async () => {
    for (const gateway of gateways) {
      const [, link = ""] = await gateway.says(/First admin +https?:[/][/][^/]+(\S+)/);
      for (const address of addresses) {
        const page = await (await fetch(address + link)).text();
        expect(page).toContain("first admin");
      }
    }
  });

  test("tell the pages that are open on both of a change that was made on one", async () => {
    const changes = await Promise.all(addresses.map(pageOn));
    // Each has had its first look once its instance listens.
    await Promise.all(changes.map((change) => change()));
    const { did, privateKey } = await mintAgent(engine);
    const client = createClient({ did, privateKey, baseUrl: one });
    await client.proposeMemory({
      did: owner.did,
      content: "Wants to see the moss garden.",
      category: "prof:interests",
      confidence: 0.5,
    });
    await Promise.all(changes.map((change) => change()));
  });

  test("share the jobs: what is due is done, and nothing fails", async () => {
    const sealed = () => engine.db.accessEvent.count({ where: { NOT: { hash: null } } });
    await expect.poll(sealed).toBeGreaterThan(0);
    for (const gateway of gateways) expect(gateway.output()).not.toMatch(/"level":(40|50)/);
  });
});
