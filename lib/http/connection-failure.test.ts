import { expect, test } from "vitest";
import { isConnectionFailure } from "./reply";

/** As Prisma wraps what PostgreSQL answered. */
function wrapped(originalCode: string): Error {
  const meta = { driverAdapterError: { cause: { originalCode } } };
  return Object.assign(new Error("Database error."), { code: "P2039", meta });
}

test.each([
  ["55P03", true],
  ["40P01", true],
  ["25P02", true],
  ["23505", false],
  ["42703", false],
])("%s of a statement of Prisma's is an outage: %s", (code, isOutage) => {
  expect(isConnectionFailure(wrapped(code))).toBe(isOutage);
});
