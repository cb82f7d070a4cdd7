import { expect, test } from "vitest";
import { z } from "zod";
import { fromForm, idOf, tickedUnder } from "./form-fields";

const Body = z.object({
  content: z.string().min(1),
  confidence: z.number().max(1).default(1),
  count: z.int().optional(),
  archived: z.boolean(),
  updatedAt: z.iso
    .datetime()
    .transform((text) => new Date(text))
    .optional(),
});

test("a form is read by a schema of the API: numbers, ticks and line breaks as the API has them", () => {
  const typed = {
    content: "Likes\r\ntea.",
    confidence: "0.5",
    count: "3",
    archived: "on",
    updatedAt: "2026-03-01T12:00:00.000Z",
  };
  expect(fromForm(Body).parse(typed)).toEqual({
    content: "Likes\ntea.",
    confidence: 0.5,
    count: 3,
    archived: true,
    updatedAt: new Date("2026-03-01T12:00:00.000Z"),
  });
});

test("an empty field is left out if optional, else refused", () => {
  const empty = { content: "", confidence: "", count: "", updatedAt: "" };
  expect(fromForm(Body).parse({ ...empty, content: "Tea." })).toEqual({
    content: "Tea.",
    confidence: 1,
    archived: false,
  });
  const refused = fromForm(Body)
    .safeParse(empty)
    .error?.issues.map(({ path }) => path);
  expect(refused).toEqual([["content"]]);
});

test("a text that is not a number is refused at its field; unknown fields are ignored", () => {
  const { error } = fromForm(Body).safeParse({ content: "Tea.", count: "many" });
  expect(error?.issues.map(({ path }) => path)).toEqual([["count"]]);
  expect(fromForm(Body).parse({ content: "Tea.", profile: "x" })).not.toHaveProperty("profile");
});

test("an id has its own beginning and nothing after it", () => {
  const Id = idOf("mem", "a memory");
  expect(Id.safeParse("mem_1a").success).toBe(true);
  for (const wrong of ["prop_1a", "mem_", "mem_1a\n", `mem_${"a".repeat(33)}`, "xmem_1"]) {
    expect(Id.safeParse(wrong).error?.issues[0]?.message).toBe("Not a memory.");
  }
});

test("boxes are read by the beginning of their names", () => {
  expect(tickedUnder("scope:", { "scope:prof:a": "on", other: "on" })).toEqual(["prof:a"]);
});
