import { createHash } from "node:crypto";
import { invalidRequest } from "@/lib/protocol/errors";
import { commonBytesMax } from "@/lib/rules/named-value";
import type { Ctx } from "../context";
import { changeProfile } from "../profile-gate";

type Members = Record<string, unknown>;

export type CommonPart =
  | { part: "displayName" }
  | { part: "preference"; name: string }
  | { part: "common" };

/** A preference without a value is removed. */
export type CommonChange =
  | { part: "displayName"; value: string }
  | { part: "preference"; name: string; value?: unknown }
  | { part: "common"; value: Members };

interface Editing {
  did: string;
  /** The version that was shown, of the part that is changed. */
  seen: string;
  change: CommonChange;
}

/** Changes the common members. Refuses a change of a version that is gone. */
export async function editCommon(ctx: Ctx, { did, seen, change }: Editing): Promise<void> {
  // Former values are not kept, so replacing one cannot be undone.
  const lasting = seen !== absentVersion;
  await changeProfile(ctx, { verb: "editProfile", did, lasting }, async (open) => {
    const { tx } = open;
    // The row is locked, so the next change sees another version.
    const before = open.profile.common;
    if (versionOf(before, change) !== seen) throw changedMeanwhile(seen);
    const common = JSON.stringify(withChange(before, change));
    if (Buffer.byteLength(common) > commonBytesMax) throw tooLarge();
    await tx.$executeRaw`UPDATE "Profile" SET common = ${common}::jsonb, "updatedAt" = ${ctx.now} WHERE id = ${open.profile.id}`;
    await open.record({ detail: { changed: change.part } });
  });
}

/** Returns the version of one part, so that tabs that change different parts do not conflict. */
export function versionOf(common: Members, input: CommonPart): string {
  return digest(partOf(common, input));
}

function partOf(common: Members, input: CommonPart): unknown {
  switch (input.part) {
    case "displayName":
      return membersOf(common.identity).displayName;
    case "preference": {
      const preferences = membersOf(common.preferences);
      return Object.hasOwn(preferences, input.name) ? preferences[input.name] : undefined;
    }
    case "common":
      return common;
  }
}

function digest(value: unknown): string {
  const text = value === undefined ? "" : JSON.stringify(value);
  return createHash("sha256").update(text).digest("base64url");
}

/** The version of a value that does not exist. */
export const absentVersion = digest(undefined);

function withChange(common: Members, change: CommonChange): Members {
  switch (change.part) {
    case "displayName":
      return { ...common, identity: { ...membersOf(common.identity), displayName: change.value } };
    case "preference": {
      const { [change.name]: _, ...others } = membersOf(common.preferences);
      const changed = change.value === undefined ? {} : { [change.name]: change.value };
      return { ...common, preferences: { ...others, ...changed } };
    }
    case "common":
      return { preferences: {}, ...change.value };
  }
}

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function changedMeanwhile(seen: string) {
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
