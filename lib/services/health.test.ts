import { expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { checkReadiness } from "./health";

const engine = await testEngine({ SIGNATURE_SKEW_SECONDS: "300" });

async function checkAt(seconds: number) {
  engine.setNow(new Date(Date.now() + seconds * 1_000));
  return checkReadiness(engine);
}

test.each([0, -290, 290])("is ready with a clock %d s from the database's", async (seconds) => {
  expect(await checkAt(seconds)).toMatchObject({ ready: true, problems: [] });
});

test.each([
  [-320, "behind"],
  [800 * 86_400, "ahead of"],
])("is not ready with a clock %d s from the database's", async (seconds, direction) => {
  const { ready, problems, database } = await checkAt(seconds);
  expect(ready).toBe(false);
  expect(problems).toEqual([
    `The gateway's clock is ${Math.abs(seconds)} s ${direction} the database's, and 300 s are allowed. Set both by a time server.`,
  ]);
  expect(database.answers).toBe(true);
});
