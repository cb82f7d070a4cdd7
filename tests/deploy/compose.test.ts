import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { loadEnv } from "@/lib/engine/env";

interface Service {
  image: string;
  user?: string;
  ports?: string[];
  environment?: Record<string, string>;
  secrets?: (string | { source: string; target: string })[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}

interface Compose {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, null>;
}

const dockerfile = readFileSync("Dockerfile", "utf8");
const { services, secrets, volumes }: Compose = parse(readFileSync("compose.yaml", "utf8"));
const all = Object.entries(services);
const { gateway, database } = services;

test("there is a gateway and a database, and Redis only by its profile", () => {
  const always = all.filter(([, service]) => !("profiles" in service)).map(([name]) => name);
  expect(always).toEqual(["gateway", "database"]);
  expect(all.map(([name]) => name)).toEqual([...always, "redis", "redis-http"]);
});

test.each(all)("%s has no more rights than it needs", (name, service) => {
  expect(service).toMatchObject({
    init: true,
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    restart: "unless-stopped",
  });
  for (const right of ["privileged", "cap_add", "devices", "network_mode", "pid"]) {
    expect(service).not.toHaveProperty(right);
  }
  // The image of redis-http has root only, here without its rights.
  if (name !== "redis-http") expect(service.user).toMatch(/^(?!0|root)\w/);
});

test("the gateway runs as the user that the image is made for", () => {
  expect(dockerfile).toMatch(new RegExp(`^USER ${gateway?.user}$`, "m"));
});

test("each stop has more time than the longest orderly one", () => {
  for (const [, service] of all) expect(service).toMatchObject({ stop_grace_period: "45s" });
});

test("images have a version", () => {
  for (const [name, { image }] of all.filter(([name]) => name !== "gateway")) {
    expect([name, image]).toEqual([name, expect.stringMatching(/^[\w/-]+:\d[\w.-]*$/)]);
  }
});

test("only the gateway is published, and only to its own machine", () => {
  expect(gateway?.ports).toEqual(["127.0.0.1:3000:3000"]);
  const published = all.filter(([, { ports }]) => ports !== undefined).map(([name]) => name);
  expect(published).toEqual(["gateway"]);
});

test("each service says whether it is healthy, and others wait for it", () => {
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  for (const [name, { healthcheck }] of all.filter(([name]) => name !== "gateway")) {
    expect([name, healthcheck?.test[0]]).toEqual([name, "CMD"]);
  }
  expect(gateway?.depends_on).toEqual({ database: { condition: "service_healthy" } });
});

test("secrets are passed by file, and each that is named is declared", () => {
  for (const [, { environment = {}, secrets: used = [] }] of all) {
    const names = used.map((one) => (typeof one === "string" ? one : one.source));
    for (const name of names) expect(secrets).toHaveProperty(`${name}.file`);
    for (const [name, value] of Object.entries(environment)) {
      const isSecret = /SECRET|PASSW|TOKEN|KEY|DATABASE_URL/.test(name);
      expect([name, name.endsWith("_FILE")]).toEqual([name, isSecret]);
      const [, file] = /^\/run\/secrets\/(\w+)$/.exec(value) ?? [];
      if (file !== undefined) expect(names).toContain(file);
    }
  }
  expect(readFileSync(".gitignore", "utf8")).toMatch(/^secrets\/$/m);
});

test("mounts are files that are there, or volumes that are declared", () => {
  const sources = all.flatMap(([, one]) => one.volumes ?? []).map((one) => one.split(":")[0] ?? "");
  expect(sources.filter((source) => !(source in volumes) && !existsSync(source))).toEqual([]);
  expect(Object.keys(volumes).filter((volume) => !sources.includes(volume))).toEqual([]);
});

test("backups have a volume of their own, in a folder that the image gives to its user", () => {
  const folder = gateway?.environment?.BACKUP_URL;
  expect(gateway?.volumes).toContain(`backups:${folder}`);
  expect(dockerfile).toMatch(new RegExp(`^ .*--owner=10001 .*${folder}$`, "m"));
});

describe("deploy/secrets.sh", () => {
  async function withSecrets() {
    const folder = await mkdtemp(path.join(tmpdir(), "gateway-secrets-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp("deploy/secrets.sh", path.join(folder, "deploy/secrets.sh"));
    const make = () => spawnSync("sh", ["deploy/secrets.sh"], { cwd: folder, encoding: "utf8" });
    const read = (name: string) => readFile(path.join(folder, secrets[name]?.file ?? ""), "utf8");
    return { folder, make, read };
  }

  test("makes each secret, in a folder that is closed to others", async () => {
    const { folder, make, read } = await withSecrets();
    expect(make()).toMatchObject({ status: 0, stderr: "" });
    expect((await stat(path.join(folder, "secrets"))).mode & 0o777).toBe(0o700);
    const made = await Promise.all(Object.keys(secrets).map(read));
    for (const { file } of Object.values(secrets)) {
      expect((await stat(path.join(folder, file))).mode & 0o777).toBe(0o644);
    }
    expect(new Set(made).size).toBe(Object.keys(secrets).length);
    const token = await read("redis_token");
    expect(JSON.parse(await read("redis_tokens"))).toHaveProperty(token);
    expect(await read("database_url")).toContain(`:${await read("database_password")}@database/`);
  });

  test("leaves secrets that are there as they are", async () => {
    const { make, read } = await withSecrets();
    make();
    const before = await Promise.all(Object.keys(secrets).map(read));
    expect(make().status).toBe(0);
    expect(await Promise.all(Object.keys(secrets).map(read))).toEqual(before);
  });

  test("makes secrets that the gateway accepts with the settings of compose.yaml", async () => {
    const { folder, make } = await withSecrets();
    make();
    const set = {
      ...gateway?.environment,
      HOST: "0.0.0.0",
      PUBLIC_URL: "https://gateway.example.com",
      TRUST_PROXY_HOPS: "1",
      UPSTASH_REDIS_REST_URL: "http://redis-http:8080",
      UPSTASH_REDIS_REST_TOKEN_FILE: "/run/secrets/redis_token",
    };
    const placed = Object.entries(set).map(([name, value]) => [
      name,
      value.replace("/run/secrets", path.join(folder, "secrets")),
    ]);
    const env = loadEnv(Object.fromEntries(placed));
    expect(env.DATABASE_URL).toMatch(/^postgresql:\/\/gateway:[0-9a-f]{64}@database\/gateway$/);
    expect(env.METRICS_TOKEN).toHaveLength(64);
    expect(env.UPSTASH_REDIS_REST_TOKEN).toHaveLength(64);
  });
});

test("the database's script gives the gateway a database, and no right over others", () => {
  const sql = readFileSync("deploy/database.sql", "utf8");
  expect(sql).toContain("CREATE DATABASE gateway OWNER gateway;");
  expect(sql).not.toMatch(/SUPERUSER|CREATEDB|CREATEROLE|REPLICATION|BYPASSRLS|GRANT/i);
  expect(database?.secrets).toContain("database_password");
});
