import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseAst } from "vitest/node";
import { z } from "zod";

// Foreign text must not make a regular expression backtrack. Finds every expression in the source, and runs
// each on texts made of its own characters.

const folders = ["lib", "app", "server", "cli"];
// These read only what is written in the repository itself.
const ownTexts = /^app\/docs\/_parts\/(markdown\/highlight|search\/docs-index)\.ts$/;
const hostileChars = 64 * 1024;
// The guard reads no more of a text: what is longer counts as not read.
const guardChars = 10_000;
const milliseconds = 5;
// On a busy machine, most of them are late.
const tries = 20;

interface Found {
  file: string;
  expression: RegExp;
}

describe("every regular expression answers 64 KiB of hostile text within 5 ms", () => {
  const all = sourceFiles().flatMap((file) => expressionsIn(file, readFileSync(file, "utf8")));

  test("there are some to time", () => {
    expect(all.length).toBeGreaterThan(100);
  });

  test.each([...new Map(all.map((one) => [keyOf(one), one])).values()])(
    "$expression of $file",
    (found) => {
      const isGuard = found.file.startsWith("lib/rules/guard/");
      expect(slowText(found.expression, isGuard ? guardChars : hostileChars)).toBeUndefined();
    },
  );
});

// zod runs those of its formats before it looks at a length.
test("every format of zod that is used answers such a text as quickly", () => {
  const used = new Set(
    sourceFiles().flatMap((file) => formatsIn(file, readFileSync(file, "utf8"))),
  );
  expect(used).toContain("email");
  const slow = [...used].map((name) => {
    const expression: unknown = Reflect.get(z.regexes, name);
    const made: unknown = typeof expression === "function" ? expression({}) : expression;
    if (!(made instanceof RegExp)) throw new Error(`zod has no expression for ${name}`);
    return [name, slowText(made, hostileChars)];
  });
  expect(slow.filter(([, text]) => text !== undefined)).toEqual([]);
});

describe("the search", () => {
  const pem = /^-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]+?)\s*-----END PUBLIC KEY-----$/;

  // Shorter, so that the failure does not take hours.
  test.each([
    ["white space three times in a row", pem, 1_000],
    ["a run before an end that is not there", /=+$/, 16_384],
    ["nested repetition", /^(a+)+$/, 24],
    ["alternatives that overlap", /^(?:a|ab|b)*$/, 44],
    ["two characters that take turns", /^(?:ab?|ba?)+$/, 40],
  ])("finds %s", (_what, expression, chars) => {
    expect(slowText(expression, chars)).toBeDefined();
  });

  test("reads literals, and constructions from constants and parameters", () => {
    const source = `
      const part = "[a-z]";
      const most = 3;
      const all = [/x/g, new RegExp(\`^\${part}{\${most + 1}}$\`, "u"), new RegExp("y")];
      function of(prefix: string) { return <p>{new RegExp(\`^\${prefix}_/\`).test("/a/")}</p>; }`;
    const found = expressionsIn("example.tsx", source).map(({ expression }) => String(expression));
    expect(found).toEqual(["/x/g", "/^[a-z]{4}$/u", "/y/", "/^prefix_\\//"]);
  });

  test.each([
    "const all = new RegExp(read());",
    "const all = RegExp;",
    `const all = new RegExp(\`\${read()}$\`);`,
    "const all = text.match(pattern + more);",
    "const = 1;",
  ])("fails on what it cannot read: %s", (source) => {
    expect(() => expressionsIn("example.ts", source)).toThrow();
  });
});

function keyOf({ file, expression }: Found): string {
  return `${file} ${expression}`;
}

function sourceFiles(): string[] {
  return folders
    .flatMap((folder) => readdirSync(folder, { withFileTypes: true, recursive: true }))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => /\.(ts|tsx|mjs|js)$/.test(file))
    .filter((file) => !ownTexts.test(file))
    .filter((file) => !/\.test\.tsx?$|\/testing\/|^lib\/engine\/prisma-client\//.test(file));
}

type Node = Record<string, unknown> & { type: string };

function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string"
  );
}

function nodesIn(root: unknown): Node[] {
  const nodes: Node[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (isNode(value)) nodes.push(value);
    // Last member first, so that nodes come in the order of the source.
    if (typeof value === "object" && value !== null && !(value instanceof RegExp)) {
      open.push(...Object.values(value).reverse());
    }
  }
  return nodes;
}

function parse(file: string, source: string): Node[] {
  return nodesIn(parseAst(source, { lang: file.endsWith("x") ? "tsx" : "ts" }));
}

function expressionsIn(file: string, source: string): Found[] {
  const nodes = parse(file, source);
  refuseUnread(file, nodes);
  return nodes.flatMap((node) => {
    const { type, regex, callee } = node;
    if (type === "Literal" && isRegex(regex)) {
      return [{ file, expression: new RegExp(regex.pattern, regex.flags) }];
    }
    if (type !== "NewExpression" || !isNamed(callee, "RegExp")) return [];
    const [pattern = "", flags] = nodesOf(node.arguments).map(
      (one) => `${staticValue(one, nodes)}`,
    );
    return [{ file, expression: new RegExp(pattern, flags) }];
  });
}

// Whatever makes an expression in another way than those above.
function refuseUnread(file: string, nodes: Node[]): void {
  const read = new Set(
    nodes.flatMap(({ type, callee, typeName }) => {
      if (type === "NewExpression") return [callee];
      return type === "TSTypeReference" ? [typeName] : [];
    }),
  );
  const isCompiled = ({ type, callee, arguments: given }: Node) =>
    type === "CallExpression" &&
    isNode(callee) &&
    ["match", "matchAll", "search"].some((name) => isNamed(callee.property, name)) &&
    nodesOf(given).some((one) => one.type !== "Literal");
  const unread = nodes.some(
    (node) => (isNamed(node, "RegExp") && !read.has(node)) || isCompiled(node),
  );
  if (unread) throw new Error(`${file} makes a regular expression in a way that is not read here`);
}

// z.email(…) and z.iso.datetime(…), also without the parentheses. The others are types, with no text to match.
function formatsIn(file: string, source: string): string[] {
  const types = ["string", "number", "boolean", "bigint", "integer", "null", "undefined"];
  return parse(file, source).flatMap(({ type, object, property }) => {
    const isZod = isNode(object) && (isNamed(object, "z") || isNamed(object.property, "iso"));
    const name = isNode(property) ? `${property.name}` : "";
    const isFormat = type === "MemberExpression" && isZod && Reflect.has(z.regexes, name);
    return isFormat && !types.includes(name) ? [name] : [];
  });
}

/** Of a constant of the file; a parameter counts as its own name. */
function staticValue(node: Node, nodes: Node[]): string | number {
  if (
    node.type === "Literal" &&
    (typeof node.value === "string" || typeof node.value === "number")
  ) {
    return node.value;
  }
  if (node.type === "TemplateLiteral") {
    const parts = nodesOf(node.expressions).map((one) => `${staticValue(one, nodes)}`);
    const texts = nodesOf(node.quasis).map(
      ({ value }) => `${Reflect.get(Object(value), "cooked")}`,
    );
    return texts.map((text, nth) => text + (parts[nth] ?? "")).join("");
  }
  if (node.type === "BinaryExpression" && node.operator === "+") {
    const [left, right] = nodesOf([node.left, node.right]).map((one) => staticValue(one, nodes));
    if (typeof left === "number" && typeof right === "number") return left + right;
  }
  const { name } = node;
  const constant = nodes.find(
    ({ type, id }) => type === "VariableDeclarator" && isNamed(id, `${name}`),
  );
  if (node.type === "Identifier" && isNode(constant?.init))
    return staticValue(constant.init, nodes);
  const isParameter = nodes.some(({ params }) =>
    nodesOf(params).some((one) => isNamed(one, `${name}`)),
  );
  if (node.type === "Identifier" && isParameter) return `${name}`;
  throw new Error(`A regular expression is made of a ${node.type} that cannot be read here`);
}

function isNamed(node: unknown, name: string): boolean {
  return isNode(node) && node.type === "Identifier" && node.name === name;
}

function nodesOf(list: unknown): Node[] {
  return Array.isArray(list) ? list.filter(isNode) : [];
}

function isRegex(value: unknown): value is { pattern: string; flags: string } {
  return typeof value === "object" && value !== null && "pattern" in value && "flags" in value;
}

/** The beginning of the first text that takes too long. */
function slowText(expression: RegExp, chars: number): string | undefined {
  const run = (text: string) => {
    expression.lastIndex = 0;
    return expression.global ? text.replace(expression, "") : expression.exec(text);
  };
  return hostileTexts(expression, chars)
    .find((text) => !isQuick(() => run(text)))
    ?.slice(0, 60);
}

// The smaller of processor time and time: the machine may be busy with something else, and so may other threads of
// this process.
function isQuick(run: () => unknown): boolean {
  for (let nth = 0; nth < tries; nth++) {
    const [began, cpuBegan] = [performance.now(), process.cpuUsage()];
    run();
    const { user, system } = process.cpuUsage(cpuBegan);
    const took = Math.min(performance.now() - began, (user + system) / 1_000);
    if (took < milliseconds) return true;
    // Garbage collection does not explain this much.
    if (took > 100 * milliseconds) return false;
  }
  return false;
}

const token =
  /\[(?:\\[\s\S]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[\s\S]|\(\?(?:[:=!]|<[=!])|[()|^$]|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu;
const families = [
  "a",
  " ",
  "0",
  "\n",
  "A",
  "-",
  ".",
  "_",
  "/",
  ":",
  ",",
  "=",
  '"',
  "'",
  "\\",
  "$",
  "*",
  "\u0301",
  "é",
  "😀",
  "\u0001",
];

const takesMax = 8;

interface Atom {
  /** Some of the characters that it takes. */
  takes: string[];
  least: number;
}

/** Long runs of what each part takes, behind what takes it there, before what fits nowhere. */
function hostileTexts(expression: RegExp, chars: number): string[] {
  const whole = [...expression.source.matchAll(token)].map(([text]) => text);
  const parts = [whole.filter((text) => text !== "|"), ...alternativesIn(whole)];
  const texts = new Set<string>();
  const add = (start: string, unit: string, end: string) => {
    const times = Math.floor((chars - start.length - end.length) / unit.length);
    if (unit !== "" && times > 0) texts.add(start + unit.repeat(times) + end);
  };
  for (const part of parts) {
    const atoms = atomsOf(part, expression.flags);
    const firsts = atoms.map(({ takes: [first = ""], least }) => first.repeat(least));
    const word = atoms.map(({ takes: [first = ""] }) => first).join("");
    for (const [nth, { takes }] of atoms.entries()) {
      const start = firsts.slice(0, nth).join("");
      for (const end of ["", "!", "\n"]) {
        for (const unit of takes) {
          add(start, unit, end);
          add("", start + unit, end);
        }
        const next = atoms[nth + 1]?.takes ?? [];
        for (const unit of takes.slice(0, 2)) {
          for (const other of next.slice(0, 2)) add(start, unit + other, end);
        }
      }
    }
    for (const end of ["", "!"]) add("", word, end);
  }
  for (const unit of families) add("", unit, "!");
  return [...texts];
}

function alternativesIn(tokens: string[]): string[][] {
  const alternatives: string[][] = [[]];
  for (const text of tokens) {
    if (text === "|") alternatives.push([]);
    else alternatives.at(-1)?.push(text);
  }
  return alternatives;
}

function atomsOf(tokens: string[], flags: string): Atom[] {
  const atoms: Atom[] = [];
  for (const text of tokens) {
    const last = atoms.at(-1);
    if (/^[*+?{]/.test(text)) {
      if (last !== undefined) last.least = /^[*?]/.test(text) ? 0 : Number(/\d+/.exec(text) ?? 1);
    } else if (!/^[()^$]|^\(\?|^\\[bBk1-9]$/.test(text)) {
      const one = new RegExp(`^${text}$`, flags.replace(/[gy]/g, ""));
      const takes = [...families, ...text].filter((character) => one.test(character));
      atoms.push({ takes: [...new Set(takes)].slice(0, takesMax), least: 1 });
    }
  }
  return atoms.filter(({ takes }) => takes.length > 0);
}
