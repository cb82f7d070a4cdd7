import { describe, expect, test } from "vitest";
import { docsIndex } from "./docs-index";
import { resultsMax, searchDocs } from "./search-docs";

const hrefs = (query: string) => searchDocs(query).map(({ href }) => href);

describe("searchDocs", () => {
  test("finds sections of files, endpoints and errors", () => {
    expect(hrefs("float window 64 KiB repeated")).toEqual([]);
    expect(hrefs("64 KiB repeated member")).toContain("/docs/limits#sizes");
    expect(hrefs("prof004")[0]).toBe("/docs/errors#PROF004");
    expect(hrefs("/api/admin/users")).toContain("/docs/admin-api#listUsers");
  });

  test("puts sections with the words in their heading first", () => {
    const found = searchDocs("receipts");
    const inHeading = found.map(({ title }) => /receipts/i.test(title));
    expect(inHeading[0]).toBe(true);
    expect(inHeading).toEqual(inHeading.toSorted((one, other) => Number(other) - Number(one)));
  });

  test("marks the words in an excerpt, whatever their case", () => {
    const [first] = searchDocs("or BASE64URL");
    const marked = first?.excerpt.filter(({ isMatch }) => isMatch).map(({ text }) => text);
    expect(marked).toContain("base64url");
  });

  test("takes signs of patterns as they are", () => {
    expect(hrefs("(.*")).toEqual([]);
    expect(hrefs("prof:health.*").length).toBeGreaterThan(0);
  });

  test("returns a bounded number of sections, and nothing for blanks", () => {
    expect(docsIndex().length).toBeGreaterThan(resultsMax);
    expect(searchDocs("e")).toHaveLength(resultsMax);
    expect(searchDocs("   ")).toEqual([]);
  });

  test("knows no address twice", () => {
    const all = docsIndex().map(({ href }) => href);
    expect(new Set(all).size).toBe(all.length);
  });
});
