import { invalidRequest } from "@/lib/protocol/errors";
import { commonBytesMax } from "@/lib/rules/named-value";
import type { Ctx } from "../context";
import { changeProfile } from "../profile-gate";
import { absentVersion, deedOf, isSameValue, versionOfValues } from "./version";

type Members = Record<string, unknown>;

/** A value in a common member: `language` in `preferences`. A member that has no names is a value itself. */
export interface CommonKey {
  member: string;
  name: string | null;
}

export interface CommonValue extends CommonKey {
  value: unknown;
}

export const displayName: CommonKey = { member: "identity", name: "displayName" };

interface Editing {
  did: string;
  /** The version of all that is changed, as it was shown. */
  seen: string;
  /** A value that is undefined is removed. */
  changes: readonly CommonValue[];
}

/** Changes values of the common members and returns how many became others. Refuses a version that is gone. */
export async function editCommon(ctx: Ctx, { did, seen, changes }: Editing): Promise<number> {
  // Former values are not kept, so replacing one cannot be undone.
  const lasting = seen !== absentVersion;
  return changeProfile(ctx, { verb: "editProfile", did, lasting }, async (open) => {
    const { tx } = open;
    // The row is locked, so the next change sees another version.
    const before = open.profile.common;
    if (versionOf(before, changes) !== seen) throw changedElsewhere(seen);
    const changed = changes.filter((change) => !isSameValue(valueAt(before, change), change.value));
    if (changed.length === 0) return 0;
    const common = JSON.stringify(changed.reduce(withChange, before));
    if (Buffer.byteLength(common) > commonBytesMax) throw tooLarge();
    await tx.$executeRaw`UPDATE "Profile" SET common = ${common}::jsonb, "updatedAt" = ${ctx.now} WHERE id = ${open.profile.id}`;
    for (const { member, name, value } of changed) {
      const action = deedOf(valueAt(before, { member, name }), value);
      await open.record({ detail: { action, member, name } });
    }
    return changed.length;
  });
}

/** Returns the version of these values, so that tabs that change others do not conflict. */
export function versionOf(common: Members, keys: readonly CommonKey[]): string {
  return versionOfValues(keys.map((key) => valueAt(common, key)));
}

/** Lists the values of the common members, preferences first; the display name is not among them. */
export function commonValuesOf(common: Members): CommonValue[] {
  const { preferences, ...others } = common;
  return Object.entries({ preferences, ...others })
    .flatMap(([member, value]): CommonValue[] =>
      isMembers(value)
        ? Object.entries(value).map(([name, inner]) => ({ member, name, value: inner }))
        : [{ member, name: null, value }],
    )
    .filter(({ member, name, value }) => value !== undefined && !isDisplayName({ member, name }));
}

function isDisplayName({ member, name }: CommonKey): boolean {
  return member === displayName.member && name === displayName.name;
}

export function valueAt(common: Members, { member, name }: CommonKey): unknown {
  const value = Object.hasOwn(common, member) ? common[member] : undefined;
  if (name === null) return value;
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function withChange(common: Members, { member, name, value }: CommonValue): Members {
  const { [member]: before, ...others } = common;
  if (name === null) return value === undefined ? others : { ...others, [member]: value };
  const { [name]: _, ...rest } = isMembers(before) ? before : {};
  return { ...others, [member]: value === undefined ? rest : { ...rest, [name]: value } };
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function changedElsewhere(seen: string) {
  if (seen === absentVersion) {
    const message = "There is a preference of this name already. Change that one.";
    return invalidRequest([{ path: "name", message }]);
  }
  const message =
    "This was changed elsewhere since you opened it. Load the page again to see how it is now; copy what you typed first.";
  return invalidRequest([{ path: "form", message }]);
}

function tooLarge() {
  const message = "All of it together must not be larger than 64 KiB.";
  return invalidRequest([{ path: "form", message }]);
}
