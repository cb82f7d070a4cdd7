import { expect, test } from "vitest";
import { isConnectionFailure } from "./reply";

/** As Prisma wraps what PostgreSQL answered, or what became of the connection. */
function wrapped(cause: { kind: string; originalCode?: string }): Error {
  const meta = { driverAdapterError: { cause } };
  return Object.assign(new Error("Database error."), { code: "P2039", meta });
}

test.each([
  ["55P03", true],
  ["40P01", true],
  ["25P02", true],
  ["23505", false],
  ["42703", false],
])("%s of a statement of Prisma's is an outage: %s", (code, isOutage) => {
  expect(isConnectionFailure(wrapped({ kind: "postgres", originalCode: code }))).toBe(isOutage);
});

test.each([
  ["ConnectionClosed", true],
  ["DatabaseNotReachable", true],
  ["SocketTimeout", true],
  ["ColumnNotFound", false],
])("%s below a statement of Prisma's is an outage: %s", (kind, isOutage) => {
  expect(isConnectionFailure(wrapped({ kind }))).toBe(isOutage);
  const ofTransaction = Object.assign(new Error(kind), { cause: { kind } });
  expect(isConnectionFailure(ofTransaction)).toBe(isOutage);
});
