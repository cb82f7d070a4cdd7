import { describe, expect, test } from "vitest";
import { importCircles } from "./circles";
import { gluedSql, longFunctions, oldNames, rawCalls } from "./measures";

const file = "lib/services/tokens/revoke.ts";

describe("gluedSql", () => {
  test.each([
    ["a value of a function", 'f(`SELECT 1 FROM "Token" WHERE $' + "{where}`)", 1],
    ["an expression", '`UPDATE "Token" SET $' + '{columns.join(", ")}`', 1],
    ["a constant of the file", "const columns = `id`;\nf(`SELECT $" + "{columns}`)", 0],
    ["an import", 'import { columns } from "./columns";\nf(`SELECT $' + "{columns}`)", 0],
    ["a tagged template", "db.$queryRaw`SELECT $" + "{id}`", 0],
    ["a tagged template with a type", "db.$queryRaw<Row[]>`SELECT $" + "{id}`", 0],
    ["text that is not SQL", "`Hello $" + "{name}`", 0],
  ])("%s", (_title, text, count) => {
    expect(gluedSql([{ file, text }])).toEqual(count === 0 ? {} : { "lib/services/tokens": count });
  });
});

test("rawCalls counts calls of pg outside lib/engine only", () => {
  const text = 'import type { Pool } from "pg";\nawait pool.query("SELECT 1");\n';
  expect(rawCalls([{ file, text }])).toEqual({ "lib/services/tokens": 2 });
  expect(rawCalls([{ file: "lib/engine/db.ts", text }])).toEqual({});
});

test("oldNames counts lines that declare, take or type the old names", () => {
  // Put together, so that this file does not count.
  const [input, event] = [`ask${"ed"}`, `tol${"d"}`];
  const text = `const ${input} = 1;\nf({ ${event} });\nf(x as Review${"Asked"});\n// ${input} twice\n`;
  expect(oldNames([{ file, text }])).toEqual({ "lib/services/tokens": 3 });
});

test("longFunctions measures functions and arrow constants to their closing bracket", () => {
  const lines = (count: number) => "  work();\n".repeat(count);
  const text = `function long({\n  a,\n}: Props) {\n${lines(47)}}\n\nconst one = () => {\n${lines(48)}};\n`;
  expect(longFunctions([{ file, text }], 50)).toEqual({ [`${file} long`]: 51 });
});

test("importCircles finds each circle once, and no chain", () => {
  const importing = (name: string, ...others: string[]) => ({
    file: `lib/${name}.ts`,
    text: others.map((other) => `import type { X } from "./${other}";\n`).join(""),
  });
  const sources = [
    importing("a", "b"),
    importing("b", "c", "d"),
    importing("c", "a"),
    importing("d", "e"),
    importing("e"),
  ];
  expect(importCircles(sources)).toEqual([["lib/a.ts", "lib/b.ts", "lib/c.ts"]]);
});
