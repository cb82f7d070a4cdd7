import { readdirSync } from "node:fs";

// The words of our own paths. Any other segment is an id, or what a client made up.
let words: ReadonlySet<string> | undefined;

const segmentsMax = 12;

/** Returns the path of a request target for the log: `/api/profiles/{}/tokens`, without query. */
export function pathTemplate(target: string): string {
  words ??= readWords();
  const [path = ""] = target.split("?", 1);
  const segments = path.split("/", segmentsMax);
  return segments.map((one) => (one === "" || words?.has(one) ? one : "{}")).join("/");
}

function readWords(): ReadonlySet<string> {
  const entries = readdirSync("app", { withFileTypes: true, recursive: true });
  return new Set(entries.filter((one) => one.isDirectory()).map(({ name }) => name));
}
