import { defineConfig } from "vitest/config";

// Three tiers: `npm run check` runs unit and database, `npm test` adds process and the browser tests,
// `npm run test:night` runs what is left.
const unit = [
  "lib/{protocol,rules}/**/*.test.ts",
  "lib/*.test.ts",
  "lib/services/imports/*.test.ts",
  "lib/services/imports/{files,formats}/*.test.ts",
  "tests/guard/measured.test.ts",
  "tests/likeness/*.test.ts",
  "tests/house/*.test.ts",
  "tests/snapshots/snapshots.test.ts",
];
// Too slow to wait for while working: they start servers, fill a database, hash many passwords, or need Redis.
const slow = [
  "lib/auth/password-rule.test.ts",
  "lib/engine/counters/counters{,-upstash}.test.ts",
  "lib/engine/migrate.test.ts",
  "lib/expressions.test.ts",
  "lib/http/session/routes/import-form.test.ts",
  "lib/services/admin/{authority,system/backups,system/system}.test.ts",
  "lib/services/archive/*.test.ts",
  "lib/services/audit/drop-events.test.ts",
  "lib/services/authority.test.ts",
  "lib/services/erasure/erasure.test.ts",
  "lib/services/held-profile.test.ts",
  "lib/services/transfers/transfers.test.ts",
];
// They measure the machine, or need many cases to find anything.
const night = [
  "lib/http/session/routes/import-load.test.ts",
  "lib/services/audit/heavy-log.test.ts",
  "lib/services/policies/effect-load.test.ts",
  "lib/services/{growth,heaviest}.test.ts",
  "lib/services/webhooks/send-load.test.ts",
  "server/killed-deliveries.test.ts",
  "tests/guard/time.test.ts",
  "tests/pages/grown.test.ts",
  "tests/security/timing.test.ts",
];
// The same with a larger crowd.
const crowded = ["server/races.test.ts", "tests/security/other-{ids,profiles}.test.ts"];
// It brings the runner by npm: `npm run conformance:mcp`.
const runners = ["tests/mcp/*.test.ts"];
// It builds the pages of two versions: `npm run life`.
const life = "tests/life/life.test.ts";
const property = "lib/rules/decide.property.test.ts";
const counts = "lib/services/access/sight/counts.test.ts";
const globalSetup = "tests/support/global-setup.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** How many random policy sets are compared with the oracle. */
    policySets: number;
    /** How many users or agents try things with each other, or at the same time. */
    crowd: number;
    /** How many memories the profiles have whose counts are compared with what an agent gets. */
    memoryCounts: number[];
  }
}

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    restoreMocks: true,
    // Most of the time they wait for a database.
    maxWorkers: "100%",
    // Modules keep their state by engine, and each file makes its own engine. Loading the modules again for
    // each file took a third of the time.
    isolate: false,
    // Long enough for a busy machine, short enough to find a test that hangs.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: { name: "unit", include: unit, exclude: slow, provide: { policySets: 10_000 } },
      },
      {
        extends: true,
        test: {
          name: "database",
          provide: { memoryCounts: [10, 1_000] },
          include: ["{app,lib,prisma}/**/*.test.{ts,tsx}"],
          exclude: [...unit, ...slow, ...night],
          globalSetup,
        },
      },
      {
        extends: true,
        test: {
          name: "process",
          provide: { crowd: 6 },
          include: ["{bench,cli,conformance,server,tests}/**/*.test.ts", ...slow],
          exclude: [
            "tests/house/*",
            "tests/snapshots/snapshots.test.ts",
            ...night,
            ...runners,
            life,
          ],
          globalSetup,
        },
      },
      { extends: true, test: { name: "mcp", include: runners, globalSetup } },
      { extends: true, test: { name: "life", include: [life], testTimeout: 600_000 } },
      {
        extends: true,
        test: {
          name: "night",
          include: [...night, property, counts, ...crowded],
          provide: { policySets: 100_000, crowd: 20, memoryCounts: [10_000] },
          globalSetup,
          // What measures the machine has it to itself, and a process that keeps nothing of the files before.
          maxWorkers: 1,
          isolate: true,
        },
      },
    ],
  },
});
