import { type Outcome, runChecks } from "./check";
import { selectChecks } from "./checks/all";
import { openKit } from "./kit";
import { readOptions, UsageError, usage } from "./options";
import { countOf, document, line, summary } from "./report";

async function main(args: string[]): Promise<number> {
  if (args.includes("--help")) {
    say(usage);
    return 0;
  }
  const options = readOptions(args);
  const kit = openKit(options);
  const tell = (outcome: Outcome) => {
    if (!options.json) say(line(outcome));
  };
  const outcomes = await runChecks(kit, selectChecks(options), tell);
  kit.close();
  say(options.json ? document(options.url, outcomes) : `\n${summary(outcomes)}`);
  return countOf(outcomes).failed === 0 ? 0 : 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isUsage = error instanceof UsageError;
    const text = error instanceof Error ? (isUsage ? error.message : error.stack) : String(error);
    process.stderr.write(isUsage ? `${text}\n\n${usage}` : `${text}\n`);
    process.exitCode = 2;
  },
);
