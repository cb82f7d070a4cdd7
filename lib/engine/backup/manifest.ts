import { z } from "zod";

// The last entry of a backup: what is in it, and how to tell that all of it is there.

export const manifestName = "manifest.json";
export const manifestBytesMax = 4 * 1024 * 1024;

/** Raised when an older gateway could not read the file any more. */
export const backupFormat = 1;

const Table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int(),
  bytes: z.int(),
  parts: z.int(),
  /** Of the table's COPY text. */
  sha256: z.string(),
});

export const Manifest = z.object({
  format: z.literal(backupFormat),
  /** The gateway that made it. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** A value may be larger than a JSON number. */
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
  tables: z.array(Table),
});
export type Manifest = z.output<typeof Manifest>;
export type TableEntry = z.output<typeof Table>;
