import type { Given } from "./given";

// Declares a command; help, parser and runner use it.

export interface Io {
  out(text: string): void;
  err(text: string): void;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  fetch: typeof globalThis.fetch;
  now(): Date;
}

export interface Option {
  /** The name of the option's value; without it the option is a switch. */
  value?: string;
  help: string;
}

export interface Answer {
  /** For people. */
  text: string;
  /** For machines, with --json. */
  json: unknown;
}

export interface Command {
  name: string;
  summary: string;
  /** In order; names in brackets are optional. */
  positionals: readonly string[];
  options: Readonly<Record<string, Option>>;
  examples: readonly string[];
  run(given: Given, io: Io): Promise<Answer>;
}

export const sharedOptions: Readonly<Record<string, Option>> = {
  url: { value: "URL", help: "address of the gateway (PROF_URL)" },
  did: { value: "DID", help: "who signs (PROF_DID)" },
  key: { value: "FILE", help: "private key, PEM or JWK (PROF_KEY: a file, or the key itself)" },
  demo: { value: "NAME", help: "sign as someone of the demo data: iris, alice, …" },
  config: { value: "FILE", help: "instead of prof.config.json, ~/.config/prof/config.json" },
  json: { help: "print JSON" },
  help: { help: "print this" },
};
