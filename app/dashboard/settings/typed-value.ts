import { parseJsonText } from "@/lib/http/json/json-text";

// Forms show a value as a kind and a text.

export const kinds = ["text", "number", "yes-no", "list", "json"] as const;
export type Kind = (typeof kinds)[number];

export interface TypedValue {
  kind: Kind;
  text: string;
}

export type Read = { value: unknown } | { fault: string };

const readers: Record<Kind, (text: string) => Read> = {
  text: (text) => (text === "" ? { fault: "Enter a text." } : { value: text }),
  number: (text) => {
    const isNumber = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text.trim());
    const value = Number(text);
    return isNumber && Number.isFinite(value)
      ? { value }
      : { fault: "Enter a number, like 12 or -0.5." };
  },
  "yes-no": (text) => {
    const word = text.trim().toLowerCase();
    if (word === "yes" || word === "no") return { value: word === "yes" };
    return { fault: "Enter yes or no." };
  },
  list: (text) => {
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    return { value: lines.filter((line) => line !== "") };
  },
  json: parseJsonText,
};

export function readTyped({ kind, text }: TypedValue): Read {
  return readers[kind](text);
}

export function typedOf(value: unknown): TypedValue {
  if (typeof value === "string") return { kind: "text", text: value };
  if (typeof value === "number") return { kind: "number", text: String(value) };
  if (typeof value === "boolean") return { kind: "yes-no", text: value ? "yes" : "no" };
  if (Array.isArray(value) && value.every(isLine)) return { kind: "list", text: value.join("\n") };
  return { kind: "json", text: JSON.stringify(value, null, 2) };
}

function isLine(value: unknown): boolean {
  return (
    typeof value === "string" && value !== "" && value === value.trim() && !/[\r\n]/.test(value)
  );
}
