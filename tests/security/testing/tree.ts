import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof methods)[number];

/** One page or route of the file tree below `app`. */
export interface Door {
  /** As in the tree: /dashboard/memories/[id]. */
  address: string;
  isPage: boolean;
  /** What its file exports; a page is read. */
  methods: readonly Method[];
}

// By all the names that Next.js answers a request for.
const answered =
  /(^|\/)(page|route|sitemap|robots|manifest|favicon|(icon|apple-icon|opengraph-image|twitter-image)\d*)\.\w+$/;

export function doors(): Door[] {
  return readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => answered.test(file) && !/(^|\/)_/.test(file))
    .map((file) => {
      if (!/(^|\/)(page\.tsx|route\.ts)$/.test(file)) throw new Error(`nobody tries ${file}`);
      const isPage = file.endsWith("page.tsx");
      const folders = path.dirname(file).split(path.sep);
      const address = `/${folders.filter((name) => !/^(\(.*\)|\.)$/.test(name)).join("/")}`;
      return { address, isPage, methods: isPage ? (["GET"] as const) : exported(file) };
    });
}

// What belongs to no account.
const ours: Record<string, string> = { "docs/page": "signing" };

/** With these ids in it; one that means different things is named with the folder before it: users/id. */
export function addressWith(ids: Record<string, string>, { address }: Door): string {
  return address.replace(/(\w+)\/\[([^\]]+\]?)\]/g, (_all, folder: string, name: string) => {
    const id = ids[`${folder}/${name}`] ?? ids[name] ?? ours[`${folder}/${name}`];
    if (id === undefined) throw new Error(`no example for ${name} of ${address}`);
    return `${folder}/${encodeURIComponent(id)}`;
  });
}

function exported(file: string): Method[] {
  const text = readFileSync(path.join("app", file), "utf8");
  const names = [...text.matchAll(/^export (?:const|async function|function)? ?(\{[^}]*\}|\w+)/gm)]
    .map(([, name = ""]) => name)
    .join(" ");
  const isThere = (method: Method) => new RegExp(`\\b${method}\\b`).test(names);
  // Next.js answers HEAD by what is there for GET.
  return methods.filter((method) => isThere(method) || (method === "HEAD" && isThere("GET")));
}
