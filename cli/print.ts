// Escapes text of agents and owners: a terminal would obey its control sequences.

export function inert(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => {
    if (character === "\n") return character;
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

export function oneLine(text: string): string {
  return inert(text).replaceAll("\n", " ");
}

/** Columns as wide as their widest cell; the last one flows on. */
export function columns(rows: readonly (readonly string[])[], indent = ""): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    }
  }
  return rows
    .map((row) => {
      const cells = row.map((cell, index) =>
        index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0),
      );
      return (indent + cells.join("  ")).trimEnd();
    })
    .join("\n");
}

/** "2030-01-31 12:00 UTC" */
export function minute(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}

/** A value of any depth: plain members first, one below the other, lists on one line. */
export function tree(value: Readonly<Record<string, unknown>>, indent = ""): string {
  const members = Object.entries(value);
  if (members.length === 0) return `${indent}(nothing)`;
  const width = Math.max(
    ...members.filter(([, member]) => !isBranch(member)).map(([name]) => oneLine(name).length),
    0,
  );
  return members
    .toSorted(([, one], [, other]) => Number(isBranch(one)) - Number(isBranch(other)))
    .map(([name, member]) =>
      isBranch(member)
        ? `${indent}${oneLine(name)}\n${tree(member, `${indent}  `)}`
        : `${indent}${oneLine(name).padEnd(width)}  ${leaf(member)}`,
    )
    .join("\n");
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function leaf(value: unknown): string {
  if (Array.isArray(value)) return value.map(leaf).join(", ");
  return oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}
