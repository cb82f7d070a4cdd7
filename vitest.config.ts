import { defineConfig } from "vitest/config";

// The floors without input and output; they answer in seconds while one works.
const fast = ["lib/{protocol,rules}/**/*.test.ts", "lib/*.test.ts"];

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    restoreMocks: true,
    // Most of the time they wait for a database.
    maxWorkers: "100%",
    // What modules keep they keep by engine, which each file makes its own: reading them anew for each file
    // took a third of the time.
    isolate: false,
    // What hangs is found; a machine that is busy is no failure.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: { name: "fast", include: fast },
      },
      {
        extends: true,
        test: {
          name: "database",
          include: ["{app,bench,cli,conformance,lib,prisma,server,tests}/**/*.test.{ts,tsx}"],
          exclude: fast,
          globalSetup: "tests/support/global-setup.ts",
        },
      },
    ],
  },
});
