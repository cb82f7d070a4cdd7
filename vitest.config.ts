import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    include: ["{app,lib,server,prisma,conformance,bench,cli}/**/*.test.{ts,tsx}"],
    globalSetup: "lib/testing/global-setup.ts",
    restoreMocks: true,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
