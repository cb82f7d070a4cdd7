import { z } from "zod";
import {
  type SettingName,
  type SettingValues,
  settingNames,
  settingsSchema,
} from "@/lib/engine/env";
import type { Settings } from "@/lib/engine/settings";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import { type Administering, administer, refuseOthers } from "./administer";

export interface SettingLine {
  name: SettingName;
  /** In force on this instance now. */
  value: string;
  /** Null if the environment's value applies. */
  changed: { at: Date; by: string | null } | null;
  /** What `revertSetting` would undo; null if the setting was never changed. */
  lastChange: LastChange | null;
}

export interface LastChange {
  id: string;
  /** The value before it; null means the environment's. */
  before: string | null;
}

/** Lists the settings in force, and who changed them. */
export async function listSettings(ctx: Ctx, settings: Settings): Promise<SettingLine[]> {
  refuseOthers(ctx);
  await settings.refresh();
  const [rows, changes] = await Promise.all([
    ctx.db.setting.findMany({ where: { key: { in: [...settingNames] } } }),
    lastChanges(ctx),
  ]);
  const values: SettingValues = settings.values();
  return settingNames.map((name) => {
    const row = rows.find(({ key }) => key === name);
    const changed = row === undefined ? null : { at: row.updatedAt, by: row.updatedBy };
    const lastChange = changes.get(name) ?? null;
    return { name, value: String(values[name]), changed, lastChange };
  });
}

async function lastChanges({ db }: Ctx): Promise<Map<string, LastChange>> {
  const rows = await db.$queryRaw<
    (LastChange & { name: string })[]
  >`SELECT s.name, e.id, e.before->>'value' AS before
     FROM unnest(${settingNames}::text[]) AS s(name) CROSS JOIN LATERAL (
       SELECT id, before FROM "AdminEvent" WHERE "subjectId" = s.name AND verb = 'changeSetting'
       ORDER BY at DESC, id DESC LIMIT 1) e`;
  return new Map(rows.map(({ name, ...change }) => [name, change]));
}

export interface SettingChange {
  name: SettingName;
  /** Null removes the override. */
  value: string | null;
}

// A setting that was never changed has no row to lock.
const oneByOne = { admins: true };

/** Applies here at once, on other instances within a second: lib/engine/settings.ts. */
export async function changeSetting(
  ctx: Ctx,
  settings: Settings,
  change: SettingChange,
): Promise<string> {
  const id = await administer(ctx, oneByOne, (administering) =>
    applyChange(ctx, administering, change),
  );
  await settings.catchUp();
  return id;
}

/** Restores the value before this change, unless it was changed again. */
export async function revertSetting(ctx: Ctx, settings: Settings, eventId: string): Promise<void> {
  await administer(ctx, oneByOne, async (administering) => {
    const done = Changed.safeParse(
      await administering.tx.adminEvent.findUnique({
        where: { id: eventId, verb: "changeSetting" },
        select: { subjectId: true, before: true, after: true },
      }),
    );
    if (!done.success) throw notFound("change of a setting");
    const { subjectId: name, before, after } = done.data;
    await applyChange(ctx, administering, { name, value: before.value, expected: after.value });
  });
  await settings.catchUp();
}

const Held = z.object({ value: z.string().nullable() });
const Changed = z.object({ subjectId: z.enum(settingNames), before: Held, after: Held });

type Applying = SettingChange & { expected?: string | null };

async function applyChange(
  ctx: Ctx,
  { tx, record }: Administering,
  { name, value, expected }: Applying,
): Promise<string> {
  if (value !== null) refuseUnusable(name, value);
  const stored = await tx.setting.findUnique({ where: { key: name }, select: { value: true } });
  const before = stored === null ? null : String(stored.value);
  if (expected !== undefined && before !== expected) {
    const message = "It was changed again since; nothing was changed now.";
    throw invalidRequest([{ path: "name", message }]);
  }
  if (value === null) await tx.setting.deleteMany({ where: { key: name } });
  else {
    const updatedBy = ctx.caller.kind === "person" ? ctx.caller.userId : null;
    const changed = { value, updatedAt: ctx.now, updatedBy };
    const create = { key: name, ...changed };
    await tx.setting.upsert({ where: { key: name }, create, update: changed });
  }
  return record({
    verb: "changeSetting",
    subjectId: name,
    before: { value: before },
    after: { value },
  });
}

function refuseUnusable(name: SettingName, value: string): void {
  const parsed = settingsSchema.partial().safeParse({ [name]: value });
  if (parsed.success) return;
  const message = parsed.error.issues[0]?.message ?? "is not usable";
  throw invalidRequest([{ path: "value", message: `This setting ${message}.` }]);
}
