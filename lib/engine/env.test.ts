import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigurationError, loadEnv, unknownIn } from "./env";

const secret = "0123456789abcdef0123456789abcdef";

function problemsOf(source: Record<string, string>): string[] {
  try {
    loadEnv(source);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe("loadEnv", () => {
  test("needs nothing to be set", () => {
    expect(loadEnv({})).toMatchObject({ PORT: 3000, HOST: "127.0.0.1", PROF_NAMESPACE: "local" });
  });

  test("takes an empty value for one that is not set", () => {
    expect(loadEnv({ PORT: "", DATABASE_URL: "" })).toMatchObject({ PORT: 3000 });
  });

  test("lists every problem at once", () => {
    const problems = problemsOf({
      PORT: "seventy",
      PUBLIC_URL: "https://a.example/path",
      DATABASE_URL: "mysql://localhost/x",
      AGENT_REGISTRATION: "sometimes",
      UPSTASH_REDIS_REST_URL: "https://redis.example",
      METRICS_TOKEN: "short",
    });
    expect(problems).toHaveLength(6);
    for (const name of [
      "PORT",
      "PUBLIC_URL",
      "DATABASE_URL",
      "AGENT_REGISTRATION",
      "UPSTASH_REDIS_REST_TOKEN",
      "METRICS_TOKEN",
    ]) {
      expect(problems.join("\n")).toContain(name);
    }
  });

  test("refuses to listen to other machines without knowing its own name", () => {
    for (const HOST of ["0.0.0.0", "::", "192.0.2.1", "gateway.example", "127.evil.example"]) {
      expect(problemsOf({ HOST })).toEqual([expect.stringMatching(/^HOST .* needs PUBLIC_URL: /)]);
      expect(problemsOf({ HOST, PUBLIC_URL: "https://gateway.example" })).toEqual([]);
      expect(problemsOf({ HOST, NODE_ENV: "development" })).toEqual([]);
    }
    for (const HOST of ["", "127.0.0.1", "127.0.0.2", "::1", "localhost", "LOCALHOST"]) {
      expect(problemsOf({ HOST })).toEqual([]);
    }
  });

  test("takes a value from the file that NAME_FILE names, unless NAME is set", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "gateway-env-"));
    const file = path.join(folder, "metrics-token");
    await writeFile(file, `${secret}\n`);
    expect(loadEnv({ METRICS_TOKEN_FILE: file }).METRICS_TOKEN).toBe(secret);
    const other = secret.toUpperCase();
    const both = { METRICS_TOKEN: other, METRICS_TOKEN_FILE: file };
    expect(loadEnv(both).METRICS_TOKEN).toBe(other);
    expect(loadEnv({ ...both, METRICS_TOKEN: "" }).METRICS_TOKEN).toBeUndefined();
    expect(loadEnv({ METRICS_TOKEN_FILE: "" }).METRICS_TOKEN).toBeUndefined();
    await writeFile(file, "short");
    expect(problemsOf({ METRICS_TOKEN_FILE: file })).toEqual([
      expect.stringMatching(/^METRICS_TOKEN must have/),
    ]);
    await rm(folder, { recursive: true });
    expect(problemsOf({ METRICS_TOKEN_FILE: file })).toEqual([
      `METRICS_TOKEN_FILE: ${file} cannot be read (ENOENT)`,
    ]);
  });

  test("refuses an SMTP_URL with a query, which could switch off TLS", () => {
    const at = (SMTP_URL: string) => problemsOf({ SMTP_URL, MAIL_FROM: "gateway@example.com" });
    expect(at("smtp://mail.example?requireTLS=false")).toHaveLength(1);
    expect(at("smtp://mail.example:587")).toEqual([]);
  });

  test.each(["NEXTAUTH_SECRET", "METRICS_TOKEN"])("refuses a short %s in production", (name) => {
    expect(problemsOf({ [name]: secret.slice(1) })).toHaveLength(1);
    expect(problemsOf({ [name]: secret })).toEqual([]);
    expect(problemsOf({ [name]: "short", NODE_ENV: "development" })).toEqual([]);
  });

  test.each([
    ["backups", 1],
    ["ftp://host/folder", 1],
    ["file://host/folder", 1],
    ["s3://host/bucket", 1],
    ["s3://KEY:SECRET@host", 1],
    ["s3://KEY:%zz@host/bucket", 1],
    ["s3://KEY:SECRET@host/bucket?tls=off", 1],
    ["s3://KEY:SECRET@127.0.0.1:9000/bucket?tls=off", 0],
    ["s3://KEY:SECRET@host/bucket/a/b?region=eu-central-1", 0],
    ["file:///backups", 0],
    ["/backups", 0],
  ])("BACKUP_URL=%s -> %i problems, none with its secret", (BACKUP_URL, count) => {
    const problems = problemsOf({ BACKUP_URL });
    expect(problems).toHaveLength(count);
    expect(problems.join()).not.toContain("zz");
  });

  test("takes an hour or off for BACKUP_AT", () => {
    expect(loadEnv({}).BACKUP_AT).toBe(3);
    expect(loadEnv({ BACKUP_AT: "0" }).BACKUP_AT).toBe(0);
    expect(loadEnv({ BACKUP_AT: "off" }).BACKUP_AT).toBe("off");
    for (const BACKUP_AT of ["24", "3:00", "-1", "on"])
      expect(problemsOf({ BACKUP_AT })).toHaveLength(1);
  });

  test("names in .env that are no settings are found: they may be mistyped", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "gateway-env-"));
    const file = path.join(folder, ".env");
    await writeFile(
      file,
      "BACKUP_PASPHRASE=x\nPORT=1\nSMTP_URL_FILE=/run/smtp\n# A=1\nNODE_OPTIONS=\n",
    );
    expect(unknownIn(file)).toEqual(["BACKUP_PASPHRASE"]);
    expect(unknownIn(path.join(folder, "nowhere"))).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test("refuses the secrets of .env.example in production", async () => {
    const lines = (await readFile(".env.example", "utf8")).split("\n");
    const sample = lines.find((line) => line.startsWith("# NEXTAUTH_SECRET="))?.split("=")[1] ?? "";
    expect(sample.length).toBeGreaterThanOrEqual(32);
    expect(problemsOf({ NEXTAUTH_SECRET: sample })[0]).toContain("example");
  });

  test(".env.example names every setting, and no other", async () => {
    const text = await readFile(".env.example", "utf8");
    const named = [...text.matchAll(/^# ?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]);
    const { DATABASE_URL, ...rest } = loadEnv({
      DATABASE_URL: "postgresql://localhost/gateway",
      NEXTAUTH_SECRET: secret,
      METRICS_TOKEN: secret,
      SMTP_URL: "smtps://mail.example",
      MAIL_FROM: "gateway@example.com",
      UPSTASH_REDIS_REST_URL: "https://redis.example",
      UPSTASH_REDIS_REST_TOKEN: "token",
      BACKUP_URL: "/backups",
      BACKUP_PASSPHRASE: secret,
      GITHUB_ID: "id",
      GITHUB_SECRET: "secret",
      GOOGLE_CLIENT_ID: "id",
      GOOGLE_CLIENT_SECRET: "secret",
    });
    expect(named.toSorted()).toEqual(["DATABASE_URL", ...Object.keys(rest)].toSorted());
  });
});
