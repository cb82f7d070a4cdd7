import type { Db, Tx } from "@/lib/engine/db";
import { type FlagKind, flagNames } from "@/lib/protocol/flags";
import { addressesOf, flagsOf, guardVersion } from "@/lib/rules/guard/flags";
import type { Flag } from "@/lib/rules/guard/kinds";

/** A piece of what an agent wrote that its owner should notice. */
export type ClaimFlag = Pick<Flag, "kind" | "start" | "end"> & { in: "content" | "context" };

export interface ClaimText {
  content: string;
  /** The agent's reason, beside the claim. */
  context?: string | null;
}

/** Reads the texts of a claim without what is known of its owner: addresses of theirs are flagged, too. */
export function strictFlags({ content, context }: ClaimText): ClaimFlag[] {
  const read = (text: string, part: ClaimFlag["in"]) =>
    flagsOf(text).map(({ kind, start, end }) => ({ kind, in: part, start, end }));
  return [...read(content, "content"), ...read(context ?? "", "context")];
}

/** Reads the texts of a claim as the guard of this version does. */
export async function readFlags(
  db: Db | Tx,
  profileId: number,
  { content, context }: ClaimText,
): Promise<{ flags: ClaimFlag[]; guardVersion: number }> {
  const read = async (text: string, part: ClaimFlag["in"]) =>
    (await flagsIn(db, profileId, text)).map(({ kind, start, end }) => ({
      ...{ kind, in: part, start, end },
    }));
  const parts = [await read(content, "content"), await read(context ?? "", "context")];
  return { flags: parts.flat(), guardVersion };
}

/** The kinds of flags in a text that becomes a memory, most severe first. */
export async function readKinds(db: Db | Tx, profileId: number, text: string): Promise<FlagKind[]> {
  const found = new Set((await flagsIn(db, profileId, text)).map(({ kind }) => kind));
  return flagNames.filter((kind) => found.has(kind));
}

async function flagsIn(db: Db | Tx, profileId: number, text: string): Promise<Flag[]> {
  const flags = flagsOf(text);
  if (!flags.some(({ kind }) => kind === "link")) return flags;
  return flagsOf(text, { known: await knownAddresses(db, profileId, addressesOf(text)) });
}

const addressesMax = 20;
const patternsMax = 40;
// Longer ones are not valid.
const hostMax = 253;
const labelsMax = 10;
const memoriesMax = 100;

// Only what the owner wrote: an approved memory of an agent must not vouch for its next link.
async function knownAddresses(
  db: Db | Tx,
  profileId: number,
  addresses: readonly string[],
): Promise<string[]> {
  const patterns = addresses
    .slice(0, addressesMax)
    .flatMap(enclosing)
    .slice(0, patternsMax)
    .map(containing);
  const rows = await db.$queryRaw<{ email: string; contents: string[] }[]>`
    SELECT u.email, ARRAY(
      SELECT m.content FROM "Memory" m
      WHERE m."profileId" = p.id AND m.content ILIKE ANY (${patterns}::text[])
        AND m.source = 'owner' AND m."archivedAt" IS NULL AND m."deletedAt" IS NULL
      LIMIT ${memoriesMax}) AS contents
    FROM "Profile" p JOIN "User" u ON u.id = p."ownerId" WHERE p.id = ${profileId}`;
  return rows.flatMap(({ email, contents }) => [email, ...contents.flatMap(addressesOf)]);
}

/** The host of an address and those above it, of which one may be known. */
function enclosing(address: string): string[] {
  const host = address.slice(address.indexOf("@") + 1);
  const labels = host.split(".");
  if (host.length > hostMax || labels.length > labelsMax) return [];
  return labels.slice(1).map((_, place) => labels.slice(place).join("."));
}

function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
