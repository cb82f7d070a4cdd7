import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import createNext from "next";
import { buildIfStale } from "./build";

export interface Pages {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
}

export interface PagesSettings {
  root: string;
  development: boolean;
  say: (line: string) => void;
}

/** Next.js, built where it has to be, and ready to answer. */
export async function preparePages({ root, development, say }: PagesSettings): Promise<Pages> {
  if (!development) await buildIfStale(root, say);
  const next = createNext({ dev: development, dir: root });
  await next.prepare();
  return { handle: next.getRequestHandler(), upgrade: next.getUpgradeHandler() };
}
