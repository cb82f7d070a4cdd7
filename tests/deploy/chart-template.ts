import { stringify } from "yaml";

// The part of Helm's templates that our chart uses. Throws at everything else.

interface Scope {
  values: unknown;
  release: string;
}

type Node = string | { pipeline: string } | { condition: string; yes: Node[]; no: Node[] };

const functions: Record<string, (...args: unknown[]) => unknown> = {
  not: (value) => !isTrue(value),
  quote: (value) => JSON.stringify(printed(value)),
  toYaml: (value) => stringify(value, { sortMapEntries: true }).trimEnd(),
  nindent: (width, text) => `\n${printed(text)}`.replaceAll("\n", `\n${" ".repeat(Number(width))}`),
  required: (message, value) => {
    if (value === "" || value === null) throw new Error(printed(message));
    return value;
  },
};

/** Renders a template of the chart. */
export function renderTemplate(text: string, scope: Scope): string {
  const pieces = text.replace(/\s*\{\{- /g, "{{ ").split(/(\{\{.*?\}\})/s);
  const { nodes, end } = nodesUntil(pieces, 0);
  if (end !== pieces.length) throw new Error(`${pieces[end]} without an if`);
  return print(nodes, scope);
}

function nodesUntil(pieces: string[], start: number): { nodes: Node[]; end: number } {
  const nodes: Node[] = [];
  for (let at = start; at < pieces.length; at++) {
    const piece = pieces[at] ?? "";
    const action = /^\{\{ (.+) \}\}$/s.exec(piece)?.[1];
    if (action === undefined && piece.includes("{{")) throw new Error(`Unknown action ${piece}`);
    if (action === undefined) nodes.push(piece);
    else if (action === "else" || action === "end") return { nodes, end: at };
    else if (action.startsWith("if ")) {
      const yes = nodesUntil(pieces, at + 1);
      const hasElse = pieces[yes.end] === "{{ else }}";
      const no = hasElse ? nodesUntil(pieces, yes.end + 1) : { nodes: [], end: yes.end };
      if (pieces[no.end] !== "{{ end }}") throw new Error(`${piece} without an end`);
      nodes.push({ condition: action.slice(3), yes: yes.nodes, no: no.nodes });
      at = no.end;
    } else nodes.push({ pipeline: action });
  }
  return { nodes, end: pieces.length };
}

function print(nodes: Node[], scope: Scope): string {
  const texts = nodes.map((node) => {
    if (typeof node === "string") return node;
    if ("pipeline" in node) return printed(evaluate(node.pipeline, scope));
    return print(isTrue(evaluate(node.condition, scope)) ? node.yes : node.no, scope);
  });
  return texts.join("");
}

// Each command of a pipeline gets the result of the one before as its last argument.
function evaluate(pipeline: string, scope: Scope): unknown {
  const [first = "", ...commands] = pipeline.split(" | ");
  const words = wordsOf(first);
  const start = words.length === 1 ? operand(first, scope) : called(words, scope);
  return commands.reduce(
    (value: unknown, command) => called(wordsOf(command), scope, [value]),
    start,
  );
}

function called([name = "", ...words]: string[], scope: Scope, piped: unknown[] = []): unknown {
  const call = functions[name];
  if (call === undefined) throw new Error(`Unknown function ${name}`);
  return call(...words.map((word) => operand(word, scope)), ...piped);
}

function wordsOf(command: string): string[] {
  return command.match(/"[^"]*"|\S+/g) ?? [];
}

function operand(word: string, { values, release }: Scope): unknown {
  if (/^"[^"\\]*"$/.test(word)) return word.slice(1, -1);
  if (/^\d+$/.test(word)) return Number(word);
  if (word === ".Release.Name") return release;
  const [, path] = /^\.Values\.(\w+(?:\.\w+)*)$/.exec(word) ?? [];
  if (path === undefined) throw new Error(`Unknown operand ${word}`);
  return path.split(".").reduce((value, name) => {
    if (typeof value !== "object" || value === null || !(name in value)) {
      throw new Error(`values.yaml has no ${path}`);
    }
    return Reflect.get(value, name) as unknown;
  }, values);
}

function isTrue(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function printed(value: unknown): string {
  if (!["string", "number", "boolean"].includes(typeof value)) {
    throw new Error(`${JSON.stringify(value)} is not a text: use toYaml`);
  }
  return String(value);
}
