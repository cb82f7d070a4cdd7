import { type ParseArgsConfig, parseArgs } from "node:util";
import { UsageError } from "@/cli/failure";

// The programs beside `prof`, which measure and check: how they are called, and how they end.

type Definitions = NonNullable<ParseArgsConfig["options"]>;

/** Ends with what `main` returns; with 2 where it could not start. */
export function runTool(usage: string, main: (args: string[]) => Promise<number>): void {
  const args = process.argv.slice(2);
  const work = args.includes("--help") ? help(usage) : main(args);
  work.then(endWith, (error: unknown) => {
    const isUsage = error instanceof UsageError;
    const text = error instanceof Error ? (isUsage ? error.message : error.stack) : String(error);
    process.stderr.write(isUsage ? `${text}\n\n${usage}` : `${text}\n`);
    endWith(2);
  });
}

async function help(usage: string): Promise<number> {
  say(usage);
  return 0;
}

// Not at once: what was printed has to be read.
function endWith(code: number): void {
  process.exitCode = code;
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function readArgs<const Defined extends Definitions>(
  args: string[],
  options: Defined,
): ReturnType<typeof parseArgs<{ args: string[]; options: Defined }>>["values"] {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function readWhole(name: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}.`);
}
