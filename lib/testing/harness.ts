import { afterAll } from "vitest";
import { createEngine, type Engine, installEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { cloneDatabase } from "./database";

/** The time in tests; nothing in a test reads another clock. */
export const testNow = new Date("2026-03-01T12:00:00.000Z");

/**
 * An engine on a database of this file's own, also for the routes that the file calls. Await it at the
 * top of the file: vitest runs no `afterAll` that was asked for inside another hook.
 */
export async function testEngine(settings: Record<string, string> = {}): Promise<Engine> {
  const env = loadEnv({ NODE_ENV: "test", DATABASE_URL: await cloneDatabase(), ...settings });
  const engine = installEngine(createEngine(env, createLog({ level: "silent" })));
  afterAll(() => engine.stop());
  return engine;
}
