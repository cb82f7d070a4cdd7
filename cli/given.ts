import type { Command } from "./command";
import { UsageError } from "./failure";

/** The parsed command line. */
export interface Given {
  positional(name: string): string | undefined;
  text(option: string): string | undefined;
  required(option: string): string;
  list(option: string): string[] | undefined;
  number(option: string): number | undefined;
  flag(option: string): boolean;
}

export interface Parsed {
  values: Readonly<Record<string, unknown>>;
  positionals: readonly string[];
}

export function createGiven(
  { name: command, ...declared }: Command,
  { values, positionals }: Parsed,
): Given {
  const see = `See: prof ${command} --help`;
  const text = (option: string) => {
    const value = values[option];
    return typeof value === "string" ? value : undefined;
  };
  return {
    text,
    positional: (name) => positionals[declared.positionals.indexOf(name)],
    required(option) {
      const value = text(option);
      if (value === undefined) throw new UsageError(`--${option} is missing. ${see}`);
      return value;
    },
    list: (option) => text(option)?.split(","),
    number(option) {
      const value = text(option);
      if (value === undefined) return undefined;
      const number = Number(value);
      if (value.trim() !== "" && Number.isFinite(number)) return number;
      throw new UsageError(`--${option} takes a number. ${see}`);
    },
    flag: (option) => values[option] === true,
  };
}
