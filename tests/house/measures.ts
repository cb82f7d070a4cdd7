import { importsOf, isSupport, isTest, type Source } from "./sources";

// Counts of what should not be there, by folder, so that two changes in different folders never meet in one number.

const rawCall = /\b(pool|client|pg)\.query[(<]|from "pg"/;
const oldName =
  /\b(const|let|type|interface|function) +(asked|told|Asked|Told)\b|\b[A-Z][A-Za-z]*Asked\b|[{(,] *(asked|told)( *[,:})=]|$)/;
// A tagged template binds its values. One without a tag that starts like SQL is pasted together.
const untaggedSql =
  /(?<![\w$>])`\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|LOCK|FROM|WHERE|VALUES|AND)\b[^`]*`/g;

/** Counts lines that use `pg` themselves, outside the platform and the server. */
export function rawCalls(sources: Source[]): Record<string, number> {
  const product = sources.filter(
    ({ file }) => /^(app|lib)\//.test(file) && !/^lib\/engine\//.test(file) && !isTest(file),
  );
  return byFolder(product, ({ text }) => text.split("\n").filter((line) => rawCall.test(line)));
}

/** Counts lines with the names that CONTRIBUTING.md replaces by input, query, event and message. */
export function oldNames(sources: Source[]): Record<string, number> {
  return byFolder(sources, ({ text }) => text.split("\n").filter((line) => oldName.test(line)));
}

/** Counts SQL texts with a `${}` that is not a constant of its file or an import: those are glued. */
export function gluedSql(sources: Source[]): Record<string, number> {
  const product = sources.filter(
    ({ file }) => /^(app|lib|server|cli)\//.test(file) && !isTest(file) && !isSupport(file),
  );
  return byFolder(product, ({ text }) =>
    [...text.matchAll(untaggedSql)].filter(([sql]) =>
      [...sql.matchAll(/\$\{([^}]*)\}/g)].some(([, value = ""]) => !isConstant(value, text)),
    ),
  );
}

function isConstant(value: string, text: string): boolean {
  if (!/^\w+$/.test(value)) return false;
  const isDeclared = new RegExp(`^(export )?const ${value}\\b`, "m").test(text);
  return isDeclared || new RegExp(`^import [^;]*\\b${value}\\b[^;]* from `, "m").test(text);
}

/** Counts columns that Prisma fills with the real clock instead of the request's. */
export function realClockColumns(schema: string): number {
  return schema.match(/@updatedAt|@default\(now\(\)\)/g)?.length ?? 0;
}

/** Lists what shared components import from screens. */
export function componentsImportingScreens(sources: Source[]): string[] {
  return sources
    .filter(({ file }) => /^app\/_components\//.test(file) && !isTest(file))
    .flatMap((source) => importsOf(source).map((name) => ({ file: source.file, name })))
    .filter(({ name }) => /^app\/(?!_components\/)/.test(name))
    .map(({ file, name }) => `${file} imports ${name}`)
    .sort();
}

/** Returns functions with more lines than that. Biome indents, so a function ends at the indent it began with. */
export function longFunctions(sources: Source[], linesMax: number): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { file, text } of sources.filter(({ file }) => !isTest(file))) {
    const lines = text.split("\n");
    lines.forEach((line, index) => {
      const [, indent, name] =
        /^(\s*)(?:export )?(?:default )?(?:async )?(?:function\*? (\w+)|const \w+ = (?:async )?\(.*=> \{$)/.exec(
          line,
        ) ?? [];
      if (indent === undefined) return;
      const end = lines.findIndex(
        (one, at) => at > index && one.startsWith(`${indent}}`) && !/^\s*\}[)>:,]/.test(one),
      );
      const length = end - index + 1;
      if (length > linesMax) found[`${file} ${name ?? line.trim()}`] = length;
    });
  }
  return found;
}

function byFolder(
  sources: Source[],
  hitsOf: (source: Source) => readonly unknown[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const source of sources) {
    const hits = hitsOf(source).length;
    if (hits === 0) continue;
    const folder = source.file.split("/").slice(0, -1).slice(0, 3).join("/");
    counts[folder] = (counts[folder] ?? 0) + hits;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)));
}
