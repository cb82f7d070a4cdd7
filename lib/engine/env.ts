import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { z } from "zod";
import { parsePlace, placeForms } from "./backup/target/place";

// The only room that reads process.env. `.env.example` says one line about each name.

const integer = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must lie between ${least} and ${most}`);

const origins = z
  .string()
  .transform((list) => list.split(",").map((entry) => entry.trim()))
  .refine((list) => list.every(isOrigin), "must be addresses like https://gateway.example.com");

const origin = z.string().refine(isOrigin, "must be an address like https://github.example.com");

const hourly = (fallback: number) => integer(1, 100_000_000).default(fallback);

// Admins set it too, and owners need time to read what admins did.
const accessEventsDaysMin = 30;

const Environment = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("production"),
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  PUBLIC_URL: origins.default([]),
  DATA_FOLDER: z.string().min(1).default(".data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_MAX: integer(2, 500).default(20),
  NEXTAUTH_SECRET: z.string().optional(),
  METRICS_TOKEN: z.string().optional(),
  // A query could switch off TLS.
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .refine((text) => !text.includes("?"), "must have no query")
    .optional(),
  MAIL_FROM: z.email("must be an address like gateway@example.com").max(254).optional(),
  UPSTASH_REDIS_REST_URL: z.url({ protocol: /^https?$/ }).optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1).optional(),
  TRUST_PROXY_HOPS: integer(0, 10).default(0),
  MAX_CONNECTIONS: integer(10, 100_000).default(2000),
  MAX_CONNECTIONS_PER_PEER: integer(1, 100_000).default(64),
  BACKUP_URL: z
    .string()
    .refine((text) => parsePlace(text) !== null, placeForms)
    .optional(),
  BACKUP_PASSPHRASE: z.string().min(12, "must have at least 12 characters").optional(),
  BACKUP_AT: z
    .string()
    .regex(/^(off|\d|1\d|2[0-3])$/, "must be an hour from 0 to 23, or off")
    .transform((text) => (text === "off" ? text : Number(text)))
    .default(3),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  PROF_NAMESPACE: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, "must be 1 to 64 letters, digits, dots, dashes or underscores")
    .default("local"),
  AGENT_REGISTRATION: z.enum(["open", "approval", "closed"]).default("approval"),
  CLIENT_DOCUMENTS: z.enum(["on", "off"]).default("on"),
  SIGN_UP: z.enum(["open", "invitation"]).default("open"),
  ACCESS_EVENTS_DAYS: integer(accessEventsDaysMin, 36_500).default(36_500),
  GITHUB_ID: z.string().min(1).optional(),
  GITHUB_SECRET: z.string().min(1).optional(),
  GITHUB_URL: origin.default("https://github.com"),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_ISSUER: origin.default("https://accounts.google.com"),
  SIGNATURE_SKEW_SECONDS: integer(1, 3600).default(300),
  PEER_LIMIT: integer(1, 1_000_000).default(300),
  LIMIT_PROFILE: hourly(100),
  LIMIT_ACCESS: hourly(30),
  LIMIT_PROPOSE: hourly(20),
  LIMIT_REVIEW: hourly(50),
  LIMIT_MEMORIES: hourly(100),
  LIMIT_PROPOSALS: hourly(100),
  LIMIT_REGISTER: hourly(20),
  LIMIT_SESSION: hourly(3_000),
});
export type Env = z.output<typeof Environment>;

// Settings that an admin may change at run time: lib/engine/settings.ts.
export const settingsSchema = Environment.pick({
  AGENT_REGISTRATION: true,
  SIGN_UP: true,
  PROF_NAMESPACE: true,
  ACCESS_EVENTS_DAYS: true,
  LIMIT_PROFILE: true,
  LIMIT_ACCESS: true,
  LIMIT_PROPOSE: true,
  LIMIT_REVIEW: true,
  LIMIT_MEMORIES: true,
  LIMIT_PROPOSALS: true,
  LIMIT_REGISTER: true,
  LIMIT_SESSION: true,
});
export type SettingValues = z.output<typeof settingsSchema>;
export type SettingName = keyof SettingValues;
export const settingNames = settingsSchema.keyof().options;

export class ConfigurationError extends Error {
  override name = "ConfigurationError";
  constructor(readonly problems: string[]) {
    super(["The configuration is not usable:", ...problems.map((p) => `  ${p}`)].join("\n"));
  }
}

export function loadEnv(source: Record<string, string | undefined> = process.env): Env {
  const { set, problems } = withFiles(source);
  const given = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) problems.push(...parsed.error.issues.map(describeIssue));
  problems.push(...crossChecks(given));
  if (!parsed.success || problems.length > 0) throw new ConfigurationError(problems);
  return parsed.data;
}

// Containers and systemd pass secrets in files: NAME_FILE names the one with the value of NAME.
function withFiles(source: Record<string, string | undefined>) {
  const set = { ...source };
  const problems: string[] = [];
  for (const name of Environment.keyof().options) {
    const file = source[`${name}_FILE`];
    // A program of ours that another one starts gets some values directly, an empty one to unset it.
    if (!file || source[name] !== undefined) continue;
    try {
      set[name] = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : error;
      problems.push(`${name}_FILE: ${file} cannot be read (${code})`);
    }
  }
  return { set, problems };
}

/** Returns the environment of a program of ours that has these settings besides. */
export function environmentWith(values: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...values };
}

/** Reads `.env` in the working folder; the environment takes precedence. */
export function readEnvFile(file: string): void {
  if (existsSync(file)) process.loadEnvFile(file);
}

/** Returns the names in a file that are no settings: they may be mistyped, or for another program. */
export function unknownIn(file: string): string[] {
  if (!existsSync(file)) return [];
  const known = Environment.keyof().options.flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(parseEnv(readFileSync(file, "utf8"))).filter(
    (name) => !(known as string[]).includes(name) && !name.startsWith("NODE_"),
  );
}

// Variables that next-auth and Next.js read themselves. Our own code is given its Env.
type Published =
  | "NEXTAUTH_URL"
  | "NEXTAUTH_SECRET"
  | "NEXT_TELEMETRY_DISABLED"
  // The origin from which Next.js fetches redirects of server actions; it would try port 3000.
  | "__NEXT_PRIVATE_ORIGIN";

export function publishEnv(values: Partial<Record<Published, string>>): void {
  Object.assign(process.env, values);
}

const exampleSecret = "change-me-to-32-random-bytes-or-more";

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

const pairs = [
  ["SMTP_URL", "MAIL_FROM"],
  ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"],
  ["GITHUB_ID", "GITHUB_SECRET"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
] as const;

function crossChecks(given: Record<string, string | undefined>): string[] {
  const problems = pairs.flatMap(([one, other]) =>
    (given[one] === undefined) === (given[other] === undefined)
      ? []
      : [`${one} and ${other} go together: set both or none`],
  );
  if ((given.NODE_ENV ?? "production") !== "production") return problems;
  // Without its own name, it would accept signatures for any Host header.
  if (given.PUBLIC_URL === undefined && !loopback.test(given.HOST ?? "localhost")) {
    problems.push(
      `HOST ${given.HOST} lets other machines in, which needs PUBLIC_URL: the address that they use, such as https://gateway.example.com`,
    );
  }
  for (const name of ["NEXTAUTH_SECRET", "METRICS_TOKEN"]) {
    const secret = given[name];
    if (secret === undefined) continue;
    if (new TextEncoder().encode(secret).length < 32) {
      problems.push(`${name} must have at least 32 bytes; make one with: openssl rand -base64 32`);
    } else if (secret === exampleSecret) {
      problems.push(`${name} is the value of an example; make one with: openssl rand -base64 32`);
    }
  }
  return problems;
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.join(".")}: ${issue.message}`;
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const bare = url.origin === text || `${url.origin}/` === text;
  return bare && (url.protocol === "https:" || url.protocol === "http:");
}
