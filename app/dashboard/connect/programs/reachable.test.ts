import { expect, test } from "vitest";
import { unreachableBecause } from "./reachable";

test.each([
  ["https://gateway.example.com/mcp", null],
  ["https://8.8.8.8/mcp", null],
  ["https://172.32.0.1/mcp", null],
  ["https://[2606:4700::1111]/mcp", null],
  ["http://gateway.example.com/mcp", "the address does not begin with https"],
  ...[
    ...["localhost", "gateway", "gateway.local", "127.0.0.1", "10.1.2.3", "192.168.0.7"],
    ...["172.16.0.1", "172.31.9.9", "169.254.1.1", "100.64.0.1", "[::1]", "[fd00::1]"],
  ].map((host): [string, string] => [
    `https://${host}/mcp`,
    `${host} is an address of this machine or its network`,
  ]),
])("whether the maker of a program can call %s", (address, because) => {
  expect(unreachableBecause(address)).toBe(because);
});
