import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { DockerfileParser, type Instruction } from "dockerfile-ast";

const keywords = ["ARG", "FROM", "ENV", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE"];
const known = new Set([...keywords, "HEALTHCHECK", "CMD"]);

/** Returns a sentence for each rule of ours that the Dockerfile breaks. */
export function dockerfileProblems(text: string): string[] {
  const all = DockerfileParser.parse(text).getInstructions();
  const last = all.slice(all.findLastIndex((one) => one.getKeyword() === "FROM"));
  const of = (keyword: string, among = all) =>
    among.filter((one) => one.getKeyword() === keyword).map(contentOf);
  const user = of("USER", last).at(-1) ?? "";
  const base = /^BASE=\S+:(\S+)$/.exec(of("ARG")[0] ?? "")?.[1];
  const runs = of("RUN");
  const owns = (folder: string) =>
    of("RUN", last).some(
      (run) => run.includes(`--owner=${user.split(":")[0]}`) && run.split(" ").includes(folder),
    );
  const rules: [boolean, string][] = [
    [all.every((one) => known.has(one.getKeyword())), "Use known instructions only."],
    [base !== undefined && base !== "latest", "Give the base image a tag, and not latest."],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the Dockerfile
    [of("FROM").every((from) => from.startsWith("${BASE}")), "Build each stage from BASE."],
    [/^[1-9]\d*:[1-9]\d*$/.test(user), "Run as a user by number, and not as root."],
    [isExec(of("CMD", last)), "Write CMD as a list: the gateway gets the signals."],
    [isExec(of("HEALTHCHECK", last)), "Write a HEALTHCHECK, its command as a list."],
    [
      of("ENV")
        .concat(of("ARG"))
        .every((one) => !/SECRET|PASSW|TOKEN|KEY/i.test(one)),
      "Keep secrets out of ARG and ENV: they are in the image.",
    ],
    [
      runs.every((run) => !/\bnpm (i|install)\b/.test(run)),
      "Install with npm ci, as package-lock.json says.",
    ],
    [
      runs.every((run) => !/\bnpm ci\b/.test(run) || run.includes("--omit=dev")),
      "Install without development packages.",
    ],
    [runs.every((run) => !/\b(curl|wget)\b/.test(run)), "Download nothing but packages."],
    [
      runs.every((run) => !/apt-get install/.test(run) || run.includes("--no-install-recommends")),
      "Install no recommended packages.",
    ],
    [of("WORKDIR").every((folder) => folder.startsWith("/")), "Name WORKDIR by its whole path."],
    [of("VOLUME", last).every(owns), "Make the volume's folder, owned by the user."],
  ];
  return rules.filter(([isKept]) => !isKept).map(([, sentence]) => sentence);
}

/** Returns what the last stage copies from the stage that builds. */
export function copiedFiles(text: string): string[] {
  const copies = text.matchAll(/^COPY --from=build (.+) \S+$/gm);
  return [...copies].flatMap(([, files = ""]) =>
    files.split(" ").map((file) => file.slice("/app/".length)),
  );
}

/** Returns the programs that the image has a bundle of; `*` names any folder. */
export function bundledPrograms(text: string): string[] {
  const [, programs = ""] = /--bundle ((?:[\w./*-]+ )+)/.exec(text) ?? [];
  return programs.trim().split(" ").flatMap(expanded);
}

function expanded(program: string): string[] {
  const [before = "", after] = program.split("*");
  if (after === undefined) return [program];
  return readdirSync(before)
    .map((name) => path.join(before, name + after))
    .filter((file) => existsSync(file));
}

function contentOf(instruction: Instruction): string {
  return instruction.getArgumentsContent()?.replace(/\\\n\s*/g, "") ?? "";
}

// Of the flags of a health check, none has a bracket.
function isExec(contents: string[]): boolean {
  return contents.length === 1 && /^(CMD )?\["[^[\]]+"\]$/.test(contents[0] ?? "");
}
