import { expect, test } from "vitest";
import { signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { mintAdmin } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";

// Two gateway processes on one database.
const engine = await testEngine();
const env = { DATABASE_URL: engine.env.DATABASE_URL ?? "" };
// Started one after the other, because the first may have to build the pages.
const one = await addressOf(startGateway(env));
const other = await addressOf(startGateway(env));

engine.setNow(new Date());
const Cookie = await signedInCookie(engine, await mintAdmin(engine));

async function ask(method: string, url: string, body?: object) {
  const headers = { Cookie, "Content-Type": "application/json" };
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function limitOn(address: string): Promise<string | null> {
  return (await ask("GET", `${address}/api/profiles`)).headers.get("X-RateLimit-Limit");
}

test("changing or reverting a setting takes effect at once on its instance and within a second on the other", async () => {
  const setting = `${one}/api/admin/settings/LIMIT_SESSION`;
  expect([await limitOn(one), await limitOn(other)]).toEqual(["3000", "3000"]);
  expect((await ask("PUT", setting, { value: "many" })).status).toBe(400);

  const change = await ask("PUT", setting, { value: "4321" });
  expect(change.status).toBe(200);
  const within = { timeout: 1_000, interval: 50 };
  expect(await limitOn(one)).toBe("4321");
  await expect.poll(() => limitOn(other), within).toBe("4321");

  const back = `${other}/api/admin/settings/changes/${change.body.data.id}/revert`;
  expect((await ask("POST", back)).status).toBe(200);
  expect(await limitOn(other)).toBe("3000");
  await expect.poll(() => limitOn(one), within).toBe("3000");
  const adminEvents = await engine.db.adminEvent.findMany({
    where: { verb: "changeSetting" },
    orderBy: { at: "asc" },
  });
  expect(adminEvents.map(({ subjectId, before, after }) => ({ subjectId, before, after }))).toEqual(
    [
      { subjectId: "LIMIT_SESSION", before: { value: null }, after: { value: "4321" } },
      { subjectId: "LIMIT_SESSION", before: { value: "4321" }, after: { value: null } },
    ],
  );
});
