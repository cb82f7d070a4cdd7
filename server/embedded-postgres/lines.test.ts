import { expect, test } from "vitest";
import { levelOf } from "./lines";

test.each([
  ["FATAL:  terminating autovacuum process due to administrator command", "info"],
  ['FATAL:  database "gateway" is not currently accepting connections', "info"],
  ['FATAL:  password authentication failed for user "gateway"', "error"],
  ["WARNING:  there is no transaction in progress", "warn"],
  ["LOG:  database system is ready to accept connections", "info"],
])("%s is logged as %s", (line, level) => {
  expect(levelOf(line)).toBe(level);
});
