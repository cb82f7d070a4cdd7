import { beforeEach, describe, expect, test } from "vitest";
import { namedValuesMax } from "@/lib/rules/named-value";
import { testEngine, testNow } from "@/tests/support/harness";
import { eventsOf, mintOwner, type Owner, signedIn } from "@/tests/support/personas";
import { absentVersion, type CommonChange, editCommon, versionOf } from "./edit-common";
import { addNamedValue, changeNamedValue, removeNamedValue } from "./named-values";
import { readOwnValues } from "./read";

const engine = await testEngine();
const common = { identity: { displayName: "Alice", born: 1980 }, preferences: { language: "en" } };
const tea = { category: "prof:preferences.drinks", name: "tea" };
let owner: Owner;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine, { common });
});

const ctx = () => signedIn(engine, owner);
const shown = () => readOwnValues(ctx(), owner);

async function lastEvent() {
  return (await eventsOf(engine, owner.profileId)).at(-1);
}

describe("in a session that was confirmed an hour ago", () => {
  const refused = { code: "PROF002", details: { confirm: true } };
  const confirmedAt = new Date(testNow.getTime() - 60 * 60_000);
  beforeEach(async () => {
    await addNamedValue(ctx(), { did: owner.did, ...tea, value: "Assam" });
    await engine.db.session.update({ where: { id: owner.sessionId }, data: { confirmedAt } });
  });

  test("a value is added, and neither replaced nor removed: nothing keeps what it was", async () => {
    const [{ namedValues, common: before }, { did }] = [await shown(), owner];
    const seen = namedValues[0]?.updatedAt ?? testNow;
    await addNamedValue(ctx(), { did, category: tea.category, name: "coffee", value: "none" });
    const replaced = changeNamedValue(ctx(), { did, ...tea, value: "", seen });
    await expect(replaced).rejects.toMatchObject(refused);
    await expect(removeNamedValue(ctx(), { did, ...tea, seen })).rejects.toMatchObject(refused);
    for (const change of [
      { part: "common", value: {} },
      { part: "preference", name: "language" },
      { part: "displayName", value: "x" },
    ] as const) {
      const edited = editCommon(ctx(), { did, seen: versionOf(before, change), change });
      await expect(edited).rejects.toMatchObject(refused);
    }
    expect((await shown()).common).toEqual(before);
  });
});

async function stranger() {
  return signedIn(engine, await mintOwner(engine));
}

describe("common members", () => {
  async function edit(change: CommonChange, seen?: string) {
    const { common: now } = await shown();
    return editCommon(ctx(), { did: owner.did, seen: seen ?? versionOf(now, change), change });
  }

  test("gets another name, and keeps what stands beside it", async () => {
    await edit({ part: "displayName", value: "Alice B." });
    expect((await shown()).common).toEqual({
      identity: { displayName: "Alice B.", born: 1980 },
      preferences: { language: "en" },
    });
    expect(await lastEvent()).toMatchObject({
      verb: "editProfile",
      outcome: "ok",
      detail: { changed: "displayName" },
    });
    expect(JSON.stringify((await lastEvent())?.detail)).not.toContain("Alice");
  });

  test("gets, changes and loses a preference, and takes other members altogether", async () => {
    const units = { part: "preference", name: "units" } as const;
    await edit({ ...units, value: ["metric"] }, absentVersion);
    await edit({ part: "preference", name: "language", value: "de" });
    expect((await shown()).common.preferences).toEqual({ language: "de", units: ["metric"] });
    await expect(edit({ ...units, value: 1 }, absentVersion)).rejects.toMatchObject({
      details: { issues: [{ path: "name" }] },
    });
    await edit(units);
    expect((await shown()).common.preferences).toEqual({ language: "de" });
    await edit({ part: "common", value: { music: { plays: "cello" } } });
    expect((await shown()).common).toEqual({ music: { plays: "cello" }, preferences: {} });
  });

  test("is changed by one of several who saw the same version, and by all who change other parts", async () => {
    const seen = versionOf(common, { part: "displayName" });
    const tries = ["One", "Two", "Three"].map((value) =>
      edit({ part: "displayName", value }, seen),
    );
    const other = edit({ part: "preference", name: "language", value: "fr" });
    const settled = await Promise.allSettled(tries);
    await other;
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await shown()).common.preferences).toEqual({ language: "fr" });
    const events = await eventsOf(engine, owner.profileId);
    expect(events.map(({ outcome }) => outcome).sort()).toEqual(["PROF006", "PROF006", "ok", "ok"]);
  });

  test("is refused above 64 KiB", async () => {
    const value = "x".repeat(66_000);
    await expect(edit({ part: "preference", name: "language", value })).rejects.toMatchObject({
      code: "PROF006",
    });
    expect((await shown()).common).toEqual(common);
  });

  test("is nobody else's to see or change", async () => {
    const other = await stranger();
    const change = { part: "displayName", value: "Mallory" } as const;
    const seen = versionOf(common, change);
    const foreign = editCommon(other, { did: owner.did, seen, change });
    await expect(foreign).rejects.toMatchObject({ code: "PROF002" });
    await expect(readOwnValues(other, owner)).rejects.toMatchObject({ code: "PROF002" });
    expect(await lastEvent()).toMatchObject({ verb: "editProfile", outcome: "PROF002" });
  });
});

describe("a named value", () => {
  const add = (value: unknown = "green") => addNamedValue(ctx(), { did: owner.did, ...tea, value });

  test("is added, changed and removed, and the log has its name and not its value", async () => {
    await add();
    const [added] = (await shown()).namedValues;
    expect(added).toMatchObject({ ...tea, value: "green" });
    const seen = added?.updatedAt ?? testNow;
    await changeNamedValue(ctx(), { did: owner.did, ...tea, value: ["black", 3], seen });
    const [changed] = (await shown()).namedValues;
    expect(changed).toMatchObject({ value: ["black", 3] });
    await removeNamedValue(ctx(), { did: owner.did, ...tea, seen: changed?.updatedAt ?? testNow });
    expect((await shown()).namedValues).toEqual([]);
    const details = (await eventsOf(engine, owner.profileId)).map(({ detail }) => detail);
    expect(details).toEqual(
      expect.arrayContaining(
        ["added", "changed", "removed"].map((namedValue) => ({ namedValue, ...tea })),
      ),
    );
    expect(JSON.stringify(details)).not.toMatch(/green|black/);
  });

  test("is added once, also where two add it at the same time", async () => {
    const settled = await Promise.allSettled([add(), add(), add()]);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is not changed or removed in a version that is gone", async () => {
    await add();
    const seen = (await shown()).namedValues[0]?.updatedAt ?? testNow;
    await changeNamedValue(ctx(), { did: owner.did, ...tea, value: "red", seen });
    const late = { did: owner.did, ...tea, seen };
    await expect(changeNamedValue(ctx(), { ...late, value: "x" })).rejects.toMatchObject({
      code: "PROF006",
    });
    await expect(removeNamedValue(ctx(), late)).rejects.toMatchObject({ code: "PROF006" });
    expect((await shown()).namedValues).toMatchObject([{ value: "red" }]);
  });

  test("may not be called `memories`, which would hide the records", async () => {
    const named = { did: owner.did, category: "prof:interests", name: "memories", value: 1 };
    await expect(addNamedValue(ctx(), named)).rejects.toMatchObject({ code: "PROF006" });
    expect((await shown()).namedValues).toEqual([]);
  });

  test("is one of at most 500, also when the last place is raced for", async () => {
    const { profileId } = owner;
    const given = Array.from({ length: namedValuesMax - 1 }, (_, at) => `n${at}`);
    await engine.db.namedValue.createMany({
      data: given.map((name) => ({ updatedAt: testNow, ...tea, profileId, name, value: 1 })),
    });
    const settled = await Promise.allSettled(
      ["a", "b"].map((name) => addNamedValue(ctx(), { did: owner.did, ...tea, name, value: 1 })),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await shown()).namedValues).toHaveLength(namedValuesMax);
  });

  test("is nobody else's to change", async () => {
    const adding = addNamedValue(await stranger(), { did: owner.did, ...tea, value: 1 });
    await expect(adding).rejects.toMatchObject({ code: "PROF002" });
    expect(await lastEvent()).toMatchObject({ verb: "editProfile", outcome: "PROF002" });
  });
});
