import { types } from "pg";
import type { Prisma } from "../prisma-client/client";

/** The text of a statement that is prepared once: its numbers are constants, and written into it. */
export function inlineNumbers({ strings, values }: Prisma.Sql) {
  const others: unknown[] = [];
  const text = strings.reduce((written, string, index) => {
    const value = values[index - 1];
    if (typeof value === "number") return `${written}${value}${string}`;
    return `${written}$${others.push(value)}${string}`;
  });
  return { text, values: others };
}

// Rows do not report their size, so texts are counted as they are parsed.
export function countLengths() {
  const lengths: number[] = [];
  let row = -1;
  let columns = 0;
  const getTypeParser: typeof types.getTypeParser = (...type) => {
    const column = columns++;
    const read = types.getTypeParser(...type);
    return (text: string) => {
      // Every row begins with `place`.
      if (column === 0) row++;
      lengths[row] = (lengths[row] ?? 0) + text.length;
      return read(text);
    };
  };
  return { lengths, getTypeParser };
}
