import { parseArgs } from "node:util";
import { ProtocolError } from "@/lib/protocol/client";
import manifest from "@/package.json";
import { type Command, type Io, sharedOptions } from "./command";
import { access } from "./commands/access";
import { keygen } from "./commands/keygen";
import { memories } from "./commands/memories";
import { profile } from "./commands/profile";
import { proposals } from "./commands/proposals";
import { propose } from "./commands/propose";
import { register } from "./commands/register";
import { review } from "./commands/review";
import { sign } from "./commands/sign";
import { readSettings } from "./config";
import { describeFailure, exitCodes, PendingAgentError, UsageError } from "./failure";
import { createGiven, type Parsed } from "./given";
import { commandHelp, overview } from "./help";

const commands: readonly Command[] = [
  keygen,
  register,
  profile,
  access,
  memories,
  propose,
  proposals,
  review,
  sign,
];

/** Runs `prof` once. Writes results to `out` and errors to `err`; returns the exit code. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  // `prof help access` is `prof access --help`.
  const [name = "--help", ...rest] =
    argv[0] === "help" && argv.length > 1 ? [...argv.slice(1, 2), "--help"] : argv;
  const asJson = rest.includes("--json");
  try {
    if (["--help", "-h", "help"].includes(name)) {
      io.out(overview(commands));
      return exitCodes.ok;
    }
    if (name === "--version") {
      io.out(manifest.version);
      return exitCodes.ok;
    }
    const command = commands.find((candidate) => candidate.name === name);
    if (command === undefined) {
      throw new UsageError(`There is no command \`${name}\`. See: prof --help`);
    }
    await runCommand(command, rest, io);
    return exitCodes.ok;
  } catch (thrown) {
    const failure = describeFailure(thrown);
    io.err(asJson ? JSON.stringify(failure.json, null, 2) : failure.text);
    return failure.exitCode;
  }
}

async function runCommand(command: Command, args: string[], io: Io): Promise<void> {
  const { values, positionals } = parse(command, args);
  if (values.help === true) return io.out(commandHelp(command));
  if (positionals.length > command.positionals.length) {
    throw new UsageError(
      `\`${positionals[command.positionals.length]}\` is one argument too many. See: prof ${command.name} --help`,
    );
  }
  const given = createGiven(command, { values, positionals });
  const answer = await command.run(given, io).catch((thrown: unknown) => {
    const isUnknown = thrown instanceof ProtocolError && thrown.code === "PROF001";
    throw isUnknown && readSettings(given, io).isPending ? new PendingAgentError(thrown) : thrown;
  });
  io.out(given.flag("json") ? JSON.stringify(answer.json, null, 2) : answer.text);
}

function parse({ name, options }: Command, args: string[]): Parsed {
  const types: Record<string, { type: "string" | "boolean" }> = {};
  for (const [option, { value }] of Object.entries({ ...options, ...sharedOptions })) {
    types[option] = { type: value === undefined ? "boolean" : "string" };
  }
  try {
    return parseArgs({ args, options: types, allowPositionals: true });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.split(". ")[0] : String(cause);
    throw new UsageError(`${message}. See: prof ${name} --help`, { cause });
  }
}
