import { afterAll } from "vitest";
import { createEngine, type Engine, forgetEngine, installEngine } from "@/lib/engine/engine";
import { type Env, loadEnv } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { protocolRequestOf } from "@/lib/http/protocol-request";
import { responseOf } from "@/lib/http/reply";
import { createClient } from "@/lib/protocol/client";
import type { Did } from "@/lib/protocol/did";
import { cloneDatabase } from "./database";

/** The time in tests, until a test moves it; nothing in a test reads another clock. */
export const testNow = new Date("2026-03-01T12:00:00.000Z");

export interface TestEngine extends Engine {
  /** Moves the clock of every door. */
  setNow(now: Date): void;
}

/**
 * An engine on a database of this file's own, also for the routes that the file calls. Await it at the
 * top of the file: vitest runs no `afterAll` that was asked for inside another hook.
 */
export async function testEngine(settings: Record<string, string> = {}): Promise<TestEngine> {
  const env = loadEnv({ NODE_ENV: "test", DATABASE_URL: await cloneDatabase(), ...settings });
  let current = testNow;
  const engine = {
    ...createEngine(env, createLog({ level: "silent" })),
    now: () => current,
    setNow: (now: Date) => {
      current = now;
    },
  };
  installEngine(engine);
  afterAll(() => {
    forgetEngine();
    return engine.stop();
  });
  return engine;
}

/** The same engine where the environment or an admin says otherwise. */
export function configured<E extends Engine>(engine: E, changed: Partial<Env>): E {
  const { settings } = engine;
  const values = () => ({ ...settings.values(), ...changed });
  return { ...engine, env: { ...engine.env, ...changed }, settings: { ...settings, values } };
}

export const gatewayUrl = "http://gateway.test";

/** The real client against the exported route functions, in this process. */
export function clientOf(engine: Engine, signer: { did: Did; privateKey: JsonWebKey }) {
  return createClient({ ...signer, baseUrl: gatewayUrl, fetch: inProcess, now: engine.now });
}

export function tokenClient(engine: Engine, token: string) {
  return createClient({ token, baseUrl: gatewayUrl, fetch: inProcess, now: engine.now });
}

export async function inProcess(input: string | URL | Request, init?: RequestInit) {
  const incoming = protocolRequestOf(new Request(input, init));
  // With the first call: most files make none, and all routes take a while to read.
  const { protocolRoute } = await import("@/server/front-door/protocol-routes");
  return responseOf(await protocolRoute(incoming.method, incoming)(incoming));
}
