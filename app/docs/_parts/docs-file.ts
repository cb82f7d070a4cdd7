import { readFileSync } from "node:fs";
import path from "node:path";
import { authorityOf } from "@/lib/protocol/signature";
import { gatewayUrl } from "./gateway-url";

/** The files of `docs/` that have a page of their own at /docs/<name>. */
export const docsPages = [
  "guide",
  "signing",
  "examples",
  "tokens",
  "agents",
  "help",
  "protocol",
  "operations",
] as const;
export type DocsPage = (typeof docsPages)[number];

/** Reads a file of `docs/` as it is in the repository. */
export function docsFile(name: DocsPage | "index" | "export"): string {
  return readFileSync(path.join(process.cwd(), "docs", `${name}.md`), "utf8");
}

/** Reads a file of `docs/` with the address of this gateway in place of the one it is written for. */
export async function docsText(name: Parameters<typeof docsFile>[0]): Promise<string> {
  const gateway = await gatewayUrl();
  return docsFile(name)
    .replaceAll("http://localhost:3000", gateway)
    .replaceAll("localhost:3000", authorityOf(gateway));
}
