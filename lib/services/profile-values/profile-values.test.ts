import { beforeEach, describe, expect, test } from "vitest";
import { namedValuesMax } from "@/lib/rules/named-value";
import { testEngine, testNow } from "@/tests/support/harness";
import { eventsOf, mintOwner, type Owner, signedIn } from "@/tests/support/personas";
import { type CommonValue, displayName, editCommon, versionOf } from "./edit-common";
import { listValueChanges } from "./history";
import { addNamedValue, saveNamedValues } from "./named-values";
import { readOwnValues } from "./read";
import { restoreValue } from "./restore";
import { absentVersion, versionOfValues } from "./version";

const engine = await testEngine();
const common = { identity: { displayName: "Alice", born: 1980 }, preferences: { language: "en" } };
const tea = { category: "prof:preferences.drinks", name: "tea" };
const language = { member: "preferences", name: "language" };
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
    const [{ common: before }, { did }] = [await shown(), owner];
    await addNamedValue(ctx(), { did, category: tea.category, name: "coffee", value: "none" });
    const seen = versionOfValues(["Assam"]);
    for (const value of ["", undefined]) {
      const changes = [{ ...tea, value }];
      const saving = saveNamedValues(ctx(), { did, seen, changes });
      await expect(saving).rejects.toMatchObject(refused);
    }
    for (const change of [
      { ...language, value: undefined },
      { ...displayName, value: "x" },
    ]) {
      const edited = editCommon(ctx(), {
        did,
        seen: versionOf(before, [change]),
        changes: [change],
      });
      await expect(edited).rejects.toMatchObject(refused);
    }
    expect((await shown()).common).toEqual(before);
  });
});

async function stranger() {
  return signedIn(engine, await mintOwner(engine));
}

describe("common members", () => {
  async function edit(changes: CommonValue[], seen?: string) {
    const { common: now } = await shown();
    return editCommon(ctx(), { did: owner.did, seen: seen ?? versionOf(now, changes), changes });
  }

  test("gets another name, and keeps what stands beside it", async () => {
    await edit([{ ...displayName, value: "Alice B." }]);
    expect((await shown()).common).toEqual({
      identity: { displayName: "Alice B.", born: 1980 },
      preferences: { language: "en" },
    });
    const { detail, ...event } = (await lastEvent()) ?? {};
    expect(event).toMatchObject({ verb: "editProfile", outcome: "ok" });
    expect(detail).toEqual({ action: "changed", ...displayName });
  });

  test("gets, changes and loses values together, with an event for each that became another", async () => {
    const units = { member: "preferences", name: "units" };
    await edit([{ ...units, value: ["metric"] }], absentVersion);
    const changes = [
      { ...displayName, value: "Alice" },
      { ...language, value: "de" },
      { ...units, value: undefined },
      { member: "music", name: "plays", value: "cello" },
    ];
    expect(await edit(changes)).toBe(3);
    expect((await shown()).common).toEqual({
      ...{ identity: common.identity, preferences: { language: "de" }, music: { plays: "cello" } },
    });
    const events = await eventsOf(engine, owner.profileId);
    expect(events.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining([
        { action: "added", ...units },
        { action: "changed", ...language },
        { action: "removed", ...units },
        { action: "added", member: "music", name: "plays" },
      ]),
    );
    expect(events).toHaveLength(4);
    expect(await edit([{ ...language, value: "de" }])).toBe(0);
    await expect(edit([{ ...language, value: 1 }], absentVersion)).rejects.toMatchObject({
      details: { issues: [{ path: "name" }] },
    });
  });

  test("is changed by one of several who saw the same version, and by all who change other values", async () => {
    const seen = versionOf(common, [displayName]);
    const tries = ["One", "Two", "Three"].map((value) => edit([{ ...displayName, value }], seen));
    const other = edit([{ ...language, value: "fr" }]);
    const settled = await Promise.allSettled(tries);
    await other;
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await shown()).common.preferences).toEqual({ language: "fr" });
    const events = await eventsOf(engine, owner.profileId);
    expect(events.map(({ outcome }) => outcome).sort()).toEqual(["PROF006", "PROF006", "ok", "ok"]);
  });

  test("is refused above 64 KiB", async () => {
    const value = "x".repeat(66_000);
    await expect(edit([{ ...language, value }])).rejects.toMatchObject({ code: "PROF006" });
    expect((await shown()).common).toEqual(common);
  });

  test("loses a value and gets it back, unless another took its place", async () => {
    const removed = { ...language, value: "en" };
    await edit([{ ...language, value: undefined }]);
    expect((await shown()).common.preferences).toEqual({});
    await restoreValue(ctx(), { did: owner.did, removed });
    expect((await shown()).common).toEqual(common);
    await edit([{ ...language, value: "de" }]);
    const again = restoreValue(ctx(), { did: owner.did, removed });
    await expect(again).rejects.toMatchObject({ code: "PROF006" });
    expect((await shown()).common.preferences).toEqual({ language: "de" });
  });

  test("is nobody else's to see or change", async () => {
    const other = await stranger();
    const changes = [{ ...displayName, value: "Mallory" }];
    const seen = versionOf(common, changes);
    const foreign = editCommon(other, { did: owner.did, seen, changes });
    await expect(foreign).rejects.toMatchObject({ code: "PROF002" });
    await expect(readOwnValues(other, owner)).rejects.toMatchObject({ code: "PROF002" });
    expect(await lastEvent()).toMatchObject({ verb: "editProfile", outcome: "PROF002" });
    await expect(listValueChanges(other, owner)).rejects.toMatchObject({ code: "PROF002" });
  });
});

describe("a named value", () => {
  const add = (value: unknown = "green") => addNamedValue(ctx(), { did: owner.did, ...tea, value });

  const save = (seen: unknown, value: unknown) =>
    saveNamedValues(ctx(), {
      ...{ did: owner.did, seen: versionOfValues([seen]), changes: [{ ...tea, value }] },
    });

  test("is added, changed and removed, and the log has its name and not its value", async () => {
    await add();
    expect((await shown()).namedValues).toMatchObject([{ ...tea, value: "green" }]);
    engine.setNow(new Date(testNow.getTime() + 1_000));
    expect(await save("green", "green")).toBe(0);
    expect(await save("green", ["black", 3])).toBe(1);
    expect((await shown()).namedValues).toMatchObject([{ value: ["black", 3] }]);
    await save(["black", 3], undefined);
    expect((await shown()).namedValues).toEqual([]);
    const details = (await eventsOf(engine, owner.profileId)).map(({ detail }) => detail);
    expect(details).toEqual(
      expect.arrayContaining(["added", "changed", "removed"].map((action) => ({ action, ...tea }))),
    );
    expect(JSON.stringify(details)).not.toMatch(/green|black/);
    const changes = await listValueChanges(ctx(), owner);
    expect(changes.map(({ action, name }) => [action, name]).sort()).toEqual([
      ["added", "tea"],
      ["changed", "tea"],
      ["removed", "tea"],
    ]);
  });

  test("comes back when its removal is undone, unless another took its place", async () => {
    await add();
    await save("green", undefined);
    const restore = () =>
      restoreValue(ctx(), { did: owner.did, removed: { ...tea, value: "green" } });
    await restore();
    expect((await shown()).namedValues).toMatchObject([{ ...tea, value: "green" }]);
    await expect(restore()).rejects.toMatchObject({ code: "PROF006" });
  });

  test("is added once, also where two add it at the same time", async () => {
    const settled = await Promise.allSettled([add(), add(), add()]);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is not changed or removed in a version that is gone", async () => {
    await add();
    await save("green", "red");
    await expect(save("green", "x")).rejects.toMatchObject({ code: "PROF006" });
    await expect(save("green", undefined)).rejects.toMatchObject({ code: "PROF006" });
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
