import { readEnvironment } from "./config";
import { run } from "./run";

// The reader may stop reading, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await run(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  env: readEnvironment(),
  cwd: process.cwd(),
  fetch: globalThis.fetch,
  now: () => new Date(),
});
