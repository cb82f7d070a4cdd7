import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseStrictJson, valueFaults } from "./strict-json";

function parse(text: string) {
  return parseStrictJson(new TextEncoder().encode(text));
}

describe("refused, with an issue", () => {
  test.each([
    ["an empty body", ""],
    ["two values", "{} {}"],
    ["a trailing comma", '{"a":1,}'],
    ["a single quote", "{'a':1}"],
    ["an open string", '{"a'],
    ["an open escape", '{"a\\'],
    ["a byte order mark", "\ufeff{}"],
    ["NaN", "NaN"],
    ["a number no double holds", "1e400"],
    ["the same, deeper", '{"a":[{"b":-1e999}]}'],
    ["the same member twice", '{"a":1,"a":2}'],
    ["the same member twice, once escaped", '{"a":1,"\\u0061":2}'],
    ["the same member twice, deeper", '[{"x":{"a":1,"b":[1,{"c":"}"}],"a":2}}]'],
    ["__proto__", '{"__proto__":{"admin":true}}'],
    ["__proto__, escaped", '{"__pr\\u006fto__":1}'],
    ["constructor, deeper", '{"a":{"constructor":1}}'],
    ["prototype", '{"prototype":1}'],
    ["33 levels of arrays", "[".repeat(33) + "]".repeat(33)],
    ["33 levels of objects", '{"a":'.repeat(33) + 1 + "}".repeat(33)],
    ["60,000 open brackets", "[".repeat(60_000)],
    ["U+0000", '{"a":"x\\u0000y"}'],
    ["U+0000 in a member's name", '{"a\\u0000":1}'],
    ["a lone surrogate", '{"a":"\\ud800"}'],
    ["a lone low surrogate", '["\\udc00x"]'],
    ["a raw control character", '"\u0001"'],
  ])("%s", (_name, text) => {
    const parsed = parse(text);
    expect("issues" in parsed && parsed.issues.length).toBeGreaterThan(0);
  });

  test("bytes that are not UTF-8", () => {
    expect(parseStrictJson(new Uint8Array([0x22, 0xff, 0x22]))).toHaveProperty("issues");
  });
});

describe("taken as it is", () => {
  test.each([
    "{}",
    "[]",
    "null",
    '"😀"',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\"a\\":","b":"{\\"a\\":1,\\"a\\":2}"}',
    "[".repeat(32) + "]".repeat(32),
    '{"toString":1,"valueOf":2}',
    '"\\ud83d\\ude00"',
    "-0.5e-10",
  ])("%s", (text) => {
    expect(parse(text)).toEqual({ value: JSON.parse(text) });
  });

  test("whatever JSON.stringify writes of clean values", () => {
    const clean = fc.jsonValue({ maxDepth: 8 }).filter((value) => {
      const text = JSON.stringify(value);
      return !/__proto__|constructor|prototype|\\u0000|\\ud/i.test(text);
    });
    fc.assert(
      fc.property(clean, (value) => {
        const text = JSON.stringify(value);
        expect(parse(text)).toEqual({ value: JSON.parse(text) });
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});

test("an issue says where", () => {
  expect(parse('{"purpose":{"type":"\\u0000"}}')).toMatchObject({
    issues: [{ path: "body.purpose.type" }],
  });
});

test("more values than are read are refused before they are parsed, with their number", () => {
  for (const value of ["0", "{}", "[]"]) {
    expect(parse(`[${`${value},`.repeat(3_000_001)}${value}]`)).toEqual({
      issues: [{ path: "body", message: "Must not hold more than 3,000,000 values." }],
    });
  }
});

test("an object of more members than are read is refused, with their number", () => {
  const members = Array.from({ length: 20_001 }, (_none, at) => `"a${at}":0`);
  expect(parse(`{${members.join(",")}}`)).toEqual({
    issues: [{ path: "body", message: "Must not have objects of more than 20,000 members." }],
  });
});

test("a list of a million values is looked through in less than a second", () => {
  const list = Array.from({ length: 1_000_000 }, () => 0);
  const began = performance.now();
  expect(valueFaults({ a: { list } })).toEqual([]);
  expect(performance.now() - began).toBeLessThan(1_000);
});
