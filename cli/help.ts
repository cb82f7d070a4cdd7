import { type Command, type Option, sharedOptions } from "./command";
import { exitCodeMeanings } from "./failure";
import { columns } from "./print";

export function overview(commands: readonly Command[]): string {
  return [
    "prof: a client of the Profile Access Gateway",
    "",
    "Usage: prof <command> [arguments] [options]",
    "",
    "Commands",
    columns(
      commands.map(({ name, summary }) => [name, summary]),
      "  ",
    ),
    "",
    "Options of every command",
    optionLines(sharedOptions),
    "",
    "Where the address and the key come from, first found first: options, --demo, environment",
    "(PROF_URL, PROF_DID, PROF_KEY, PROF_TOKEN), prof.config.json in this folder,",
    "~/.config/prof/config.json. A configuration file has the members url, did, keyFile, token",
    "and status; register --save writes it.",
    "",
    "A user is named by a whole DID, or by the handle alone if yours has the same namespace.",
    "",
    "Exit codes",
    columns(
      exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]),
      "  ",
    ),
    "",
    "prof <command> --help says more about one of them.",
  ].join("\n");
}

export function commandHelp({ name, summary, positionals, options, examples }: Command): string {
  const usage = ["prof", name, ...positionals, "[options]"].join(" ");
  const own = Object.keys(options).length === 0 ? [] : ["", "Options", optionLines(options)];
  return [
    summary,
    "",
    `Usage: ${usage}`,
    ...own,
    "",
    "Options of every command",
    optionLines(sharedOptions),
    "",
    "Examples",
    ...examples.map((example) => `  ${example}`),
  ].join("\n");
}

function optionLines(options: Readonly<Record<string, Option>>): string {
  const rows = Object.entries(options).map(([name, { value, help }]) => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    help,
  ]);
  return columns(rows, "  ");
}
