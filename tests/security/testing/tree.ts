import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ApiEndpoint } from "@/lib/http/api/endpoint";
import { adminApi, ownerApi } from "@/lib/http/api/tables";

export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof methods)[number];

/** One page or route of the file tree below `app`, or one path of the API for scripts. */
export interface Door {
  /** As in the tree: /dashboard/memories/[id]. */
  address: string;
  isPage: boolean;
  /** What its file exports, or its rows have; a page is read. */
  methods: readonly Method[];
}

// By all the names that Next.js answers a request for.
const answered =
  /(^|\/)(page|route|sitemap|robots|manifest|favicon|(icon|apple-icon|opengraph-image|twitter-image)\d*)\.\w+$/;

export function doors(): Door[] {
  return [...doorsOfTree(), ...doorsOfApi()];
}

function doorsOfApi(): Door[] {
  const rows: ApiEndpoint[] = [...Object.values(ownerApi), ...Object.values(adminApi)];
  return [...new Set(rows.map((row) => row.path))].map((path) => {
    const own = rows.filter((row) => row.path === path).map((row) => row.method);
    const address = path.replaceAll("{", "[").replaceAll("}", "]");
    return { address, isPage: false, methods: methods.filter((method) => has(own, method)) };
  });
}

// HEAD is answered by what is there for GET.
function has(own: readonly Method[], method: Method): boolean {
  return own.includes(method === "HEAD" ? "GET" : method);
}

function doorsOfTree(): Door[] {
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
const ours: Record<string, string> = { "docs/page": "signing", "stop/what": "digest" };

/** With these ids in it; one that means different things is named with its neighbours: users/id, agents/did/webhook. */
export function addressWith(ids: Record<string, string>, { address }: Door): string {
  const variable = /(\w+)\/\[([^\]]+\]?)\](?=(\/\w+)?)/g;
  return address.replace(variable, (_all, folder: string, name: string, next = "") => {
    const named = `${folder}/${name}`;
    const id = ids[named + next] ?? ids[named] ?? ids[name] ?? ours[named];
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
  const own = methods.filter(isThere);
  return methods.filter((method) => own.includes(method) || has(own, method));
}
