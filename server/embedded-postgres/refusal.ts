/** The start cannot go on for a reason its operator can mend; `message` is one public sentence. */
export class StartRefused extends Error {
  override name = "StartRefused";
}

// The first that fits: a lack of shared memory also says "No space left on device".
const known: { sign: RegExp; say: (folder: string) => string }[] = [
  {
    sign: /could not (create|resize|map)( anonymous)? (shared memory|semaphore)/,
    say: () =>
      "This machine gives PostgreSQL too little shared memory; it needs about 200 MB of memory and, in a container, 64 MB of /dev/shm.",
  },
  {
    sign: /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded|wrote only \d+ of \d+/,
    say: (folder) => `The disk that holds ${folder} is full; free some space and start again.`,
  },
  {
    sign: /EROFS|Read-only file system/,
    say: (folder) => `The disk that holds ${folder} is read-only; the database has to write there.`,
  },
  {
    sign: /EACCES|EPERM|Permission denied|Operation not permitted|wrong ownership/,
    say: (folder) =>
      `The data folder ${folder} cannot be read and written by the user PostgreSQL runs as; correct its owner or permissions, or choose another folder.`,
  },
  {
    sign: /ENOTDIR|EEXIST|Not a directory/,
    say: (folder) => `${folder} cannot be the data folder because a file is in its place.`,
  },
  {
    sign: /EBUSY/,
    say: (folder) =>
      `The data folder ${folder} cannot be a mount point itself; mount the volume one level above.`,
  },
  {
    sign: /28P01|28000/,
    say: (folder) =>
      `The database in ${folder} does not accept the password kept in it; it was changed by hand.`,
  },
  {
    sign: /postmaster\.pid" already exists|still in use|ELOCKED/,
    say: (folder) =>
      `The data folder ${folder} is in use by another PostgreSQL; stop it, or delete ${folder}/postmaster.pid if you know that none runs on it.`,
  },
];

/** Turns an error of the system or PostgreSQL into one sentence for the operator. */
export function refusal(folder: string, cause: unknown): StartRefused {
  if (cause instanceof StartRefused) return cause;
  const text = describe(cause);
  const match = known.find(({ sign }) => sign.test(text));
  const message = match
    ? match.say(folder)
    : `PostgreSQL could not be started on ${folder}: ${lastComplaint(text)}`;
  return new StartRefused(message, { cause });
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause ? `${cause.code} ${cause.message}` : cause.message;
}

function lastComplaint(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const complaint = lines.findLast((line) => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1);
  return complaint?.replace(/^\w+:\s+/, "").slice(0, 300) ?? "it gave no reason";
}
