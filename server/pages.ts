import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import path from "node:path";
import type { Duplex } from "node:stream";
import createNext from "next";
import { z } from "zod";
import { buildIfStale } from "./build";

export interface Pages {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** The ids of the built server actions; undefined in development, which builds on demand. */
  actions: ReadonlySet<string> | undefined;
}

export interface PagesSettings {
  root: string;
  development: boolean;
  say: (line: string) => void;
}

/** Next.js, built where it has to be, and ready to answer. */
export async function preparePages({ root, development, say }: PagesSettings): Promise<Pages> {
  if (!development) await buildIfStale(root, say);
  // Next.js listens for upgrades on its server; on ours, it would take requests from the front door, which
  // passes on development's upgrades itself.
  const httpServer = createServer();
  // instrumentation.ts logs errors: Next.js would print everything that an error contains.
  const next = createNext({ dev: development, dir: root, quiet: !development, httpServer });
  await next.prepare();
  const actions = development ? undefined : await builtActions(root);
  return { handle: next.getRequestHandler(), upgrade: next.getUpgradeHandler(), actions };
}

const Manifest = z.object({
  node: z.record(z.string(), z.unknown()),
  edge: z.record(z.string(), z.unknown()),
});

async function builtActions(root: string): Promise<ReadonlySet<string>> {
  const file = path.join(root, ".next/server/server-reference-manifest.json");
  const { node, edge } = Manifest.parse(JSON.parse(await readFile(file, "utf8")));
  return new Set([...Object.keys(node), ...Object.keys(edge)]);
}
