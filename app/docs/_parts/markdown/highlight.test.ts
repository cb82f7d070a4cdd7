import { describe, expect, test } from "vitest";
import { docsFile } from "../docs-file";
import { docsNames } from "../docs-pages";
import { highlighted } from "./highlight";
import { documentOf, languageOf } from "./markdown-tokens";

function coloured(code: string, language: string): string[] {
  return highlighted(code, language)
    .filter(({ kind }) => kind !== "plain")
    .map(({ kind, text }) => `${kind} ${text}`);
}

describe("highlighted", () => {
  test("tells names of JSON from texts and values", () => {
    expect(coloured('{ "id": "a:\\"b", "n": [1.5, true] }', "json")).toEqual([
      'name "id"',
      'text "a:\\"b"',
      'name "n"',
      "value 1.5",
      "value true",
    ]);
  });

  test("takes a # of a shell for a comment only where a word begins", () => {
    const inBraces = "$" + "{B#*/}";
    expect(coloured(`# one\nA=${inBraces} curl -sS "$C" # two`, "sh")).toEqual([
      "note # one",
      "name A",
      `name ${inBraces}`,
      "word -sS",
      'text "$C"',
      "note # two",
    ]);
  });

  test("keeps a backslash between single quotes of a shell", () => {
    expect(coloured("sed 's/\\' b", "sh")).toEqual(["text 's/\\'"]);
  });

  test("colours method and headers of HTTP", () => {
    expect(coloured("POST /a\nContent-Type: text/plain", "http")).toEqual([
      "word POST",
      "name Content-Type",
    ]);
  });

  test("leaves a language that it does not know as it is", () => {
    expect(highlighted("a 1", "text")).toEqual([{ kind: "plain", at: 0, text: "a 1" }]);
  });

  test.each(docsNames)("loses no character of the code in docs/%s.md", (name) => {
    const blocks = documentOf(docsFile(name)).sections.flatMap(({ body }) => body);
    for (const block of blocks) {
      if (block.type !== "code") continue;
      const pieces = highlighted(block.text, languageOf(block));
      expect(pieces.map(({ text }) => text).join("")).toBe(block.text);
    }
  });
});
