import { readFileSync } from "node:fs";
import path from "node:path";
import { gatewayUrl } from "@/lib/http/session/gateway-url";
import { authorityOf } from "@/lib/protocol/signature";
import type { DocsName } from "./docs-pages";

/** Reads a file of `docs/` as it is in the repository. */
export function docsFile(name: DocsName): string {
  return readFileSync(path.join(process.cwd(), "docs", `${name}.md`), "utf8");
}

/** Reads a file of `docs/` with the address of this gateway in place of the one it is written for. */
export async function docsText(name: DocsName): Promise<string> {
  const gateway = await gatewayUrl();
  return docsFile(name)
    .replaceAll("http://localhost:3000", gateway)
    .replaceAll("localhost:3000", authorityOf(gateway));
}
