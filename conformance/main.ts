import { runTool, say } from "@/bench/tool";
import { type Outcome, runChecks } from "./check";
import { selectChecks } from "./checks/all";
import { openKit } from "./kit";
import { readOptions, usage } from "./options";
import { countOf, document, line, summary } from "./report";

async function main(args: string[]): Promise<number> {
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

runTool(usage, main);
