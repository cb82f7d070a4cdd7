import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright";

// Tools that the tests need besides npm packages. Installed as root on Debian; elsewhere the message says what
// to install.

// Chromium without windows; it needs a third less CPU.
const headless = "chromium-headless-shell";
const browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser for the tests: the one that is named, Playwright's own, or one of the system's. */
export function findBrowser() {
  const named = process.env.PLAYWRIGHT_CHROMIUM;
  if (named) return named;
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  return (
    firstOnPath([headless]) ??
    (install(headless) ? firstOnPath([headless]) : null) ??
    firstOnPath(browsers) ??
    (install("chromium") ? firstOnPath(browsers) : null)
  );
}

export function findRedis() {
  return (
    firstOnPath(["redis-server"]) ??
    (install("redis-server") ? firstOnPath(["redis-server"]) : null)
  );
}

/** Returns the library that gives a process another time. */
export function findFaketime() {
  return firstFaketime() ?? (install("libfaketime") ? firstFaketime() : null);
}

function firstFaketime() {
  const folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"];
  const within = (folder) => (existsSync(folder) ? readdirSync(folder) : []);
  const machines = within("/usr/lib").filter((name) => name.endsWith("-linux-gnu"));
  for (const folder of [...folders, ...machines.map((name) => `/usr/lib/${name}`)]) {
    const file = path.join(folder, "faketime", "libfaketimeMT.so.1");
    if (existsSync(file)) return file;
  }
  return null;
}

function firstOnPath(names) {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  for (const name of names) {
    for (const folder of folders) {
      const file = path.join(folder, name);
      if (isExecutable(file)) return file;
    }
  }
  return null;
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function install(name) {
  const isDebiansRoot = process.getuid?.() === 0 && firstOnPath(["apt-get"]) !== null;
  if (!isDebiansRoot) return false;
  process.stdout.write(`Installing ${name} for the tests …\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const quiet = { env, stdio: ["ignore", "ignore", "inherit"] };
  spawnSync("apt-get", ["update", "-qq"], quiet);
  return spawnSync("apt-get", ["install", "-y", "-qq", name], quiet).status === 0;
}
