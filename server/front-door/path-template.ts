import { existsSync, readdirSync, readFileSync } from "node:fs";

// The words of our own paths. Any other segment is an id, or invented.
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
  // An image has the pages as built, without their sources.
  const root = existsSync("app") ? "app" : ".next/server/app";
  const entries = readdirSync(root, { withFileTypes: true, recursive: true });
  const folders = entries.filter((one) => one.isDirectory()).map(({ name }) => name);
  const paths = [...rowsOfApi().matchAll(/"[A-Z]+ (\/api\/[^"]*)"/g)].map(([, path = ""]) => path);
  return new Set([...folders, ...paths.flatMap((path) => path.split("/"))]);
}

// The API for scripts is one route: the rows of its tables have its paths.
function rowsOfApi(): string {
  const folders = ["lib/http/api/admin", "lib/http/api/owner"];
  const files = folders.flatMap((folder) => readdirSync(folder).map((file) => `${folder}/${file}`));
  return files.map((file) => readFileSync(file, "utf8")).join("\n");
}
