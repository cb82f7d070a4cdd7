import { expect, test } from "vitest";
import { authorityIn } from "./protocol-request";

test.each([
  ["gateway.example", "gateway.example"],
  ["Gateway.Example:443", "gateway.example:443"],
  ["gateway.example:80", "gateway.example"],
  ["[::1]:3000", "[::1]:3000"],
  ["", null],
  ["alice@gateway.example", null],
  ["gateway.example/a", null],
  ["gateway.example:99999", null],
  ["gateway example", null],
])("%j names %j, whatever was asked for before", (host, authority) => {
  expect(authorityIn(host)).toBe(authority);
  expect(authorityIn("other.example")).toBe("other.example");
  expect(authorityIn(host)).toBe(authority);
});
