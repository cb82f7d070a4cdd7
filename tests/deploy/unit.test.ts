import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

const file = "deploy/gateway.service";
const text = readFileSync(file, "utf8");
const isThere = spawnSync("systemd-analyze", ["--version"]).error === undefined;

// It reports a fault of a unit on stderr only, with status 0. Other units of the machine may have faults, too.
function faultsOf(unit: string): string[] {
  const { stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  return stderr.split("\n").filter((line) => line.includes("gateway.service"));
}

/** Returns the settings of a section; throws at a line that is none, and at a name that is there twice. */
function settingsOf(section: string): Record<string, string> {
  const [, body = ""] = new RegExp(`^\\[${section}\\]\n([^[]*)`, "m").exec(text) ?? [];
  const settings: Record<string, string> = {};
  for (const line of body.split("\n").filter((one) => one !== "" && !one.startsWith("#"))) {
    const [, name = "", value = ""] = /^([A-Z]\w+)=(\S.*)?$/.exec(line) ?? [];
    if (name === "" || name in settings) throw new Error(`${section}: ${line}`);
    settings[name] = value;
  }
  return settings;
}

// Where systemd is missing, the tests below look at the settings by themselves.
describe.runIf(isThere)("systemd", () => {
  test("finds no fault in the unit, and one in a misspelt copy", async () => {
    expect(faultsOf(`./${file}`)).toEqual([]);
    const folder = await mkdtemp(path.join(tmpdir(), "gateway-unit-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const misspelt = path.join(folder, "gateway.service");
    await writeFile(misspelt, text.replace("PrivateTmp", "PrivateTemp"));
    expect(faultsOf(misspelt)).toEqual([expect.stringContaining("PrivateTemp")]);
  });

  test("rates its exposure below 4 of 10", () => {
    const args = ["security", "--offline=true", "--threshold=40", `./${file}`];
    expect(spawnSync("systemd-analyze", args).status).toBe(0);
  });
});

test("the service runs the gateway as its own user, and starts it again after a failure", () => {
  expect(settingsOf("Unit")).toMatchObject({ After: "network-online.target" });
  expect(settingsOf("Install")).toEqual({ WantedBy: "multi-user.target" });
  expect(settingsOf("Service")).toMatchObject({
    User: "gateway",
    WorkingDirectory: "/srv/gateway",
    ExecStart: "/usr/bin/env node server/run.mjs server/main.ts",
    Restart: "on-failure",
  });
});

test("a stop has more time than the longest orderly one, and leaves PostgreSQL to the gateway", () => {
  const { KillMode, TimeoutStopSec } = settingsOf("Service");
  expect(KillMode).toBe("mixed");
  expect(Number(TimeoutStopSec)).toBeGreaterThan(40);
});

test("the service writes to its checkout and its data only, and has no rights of root", () => {
  const service = settingsOf("Service");
  expect(service).toMatchObject({
    CapabilityBoundingSet: "",
    NoNewPrivileges: "yes",
    PrivateDevices: "yes",
    PrivateTmp: "yes",
    ProtectHome: "yes",
    ProtectSystem: "strict",
    ReadWritePaths: "/srv/gateway",
    RestrictAddressFamilies: "AF_INET AF_INET6 AF_UNIX",
    RestrictNamespaces: "yes",
    StateDirectory: "gateway",
    StateDirectoryMode: "0700",
    SystemCallFilter: "@system-service",
    UMask: "0077",
  });
  // V8 compiles.
  expect(service).not.toHaveProperty("MemoryDenyWriteExecute");
  expect(text).toContain(`DATA_FOLDER=/var/lib/${service.StateDirectory}\n`);
});
