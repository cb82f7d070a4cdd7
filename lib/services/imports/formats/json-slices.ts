import { ImportRefused } from "./item";

// JSON is read a slice at a time: parsing 25 MB in one go may take ten times as much memory.

/** A value in JSON text, from its first byte to the one after its last. */
export interface Slice {
  from: number;
  to: number;
}

export interface Child extends Slice {
  /** The name of a member; empty in a list. */
  key: string;
}

const sliceBytesMax = 1024 * 1024;
const keyBytesMax = 100;
const depthMax = 64;

const [quote, backslash, comma, colon] = Buffer.from('"\\,:');
const [openObject, closeObject, openList, closeList] = Buffer.from("{}[]");
const spaces = new Set(Buffer.from(" \t\r\n"));

/** Returns the only value in the text. */
export function rootOf(bytes: Buffer): Slice {
  const from = afterSpaces(bytes, 0);
  const to = endOf(bytes, from);
  if (afterSpaces(bytes, to) < bytes.length) throw damaged();
  return { from, to };
}

export function isObject(bytes: Buffer, { from }: Slice): boolean {
  return bytes[from] === openObject;
}

export function isList(bytes: Buffer, { from }: Slice): boolean {
  return bytes[from] === openList;
}

/** The members of an object, or the items of a list. */
export function* childrenOf(bytes: Buffer, parent: Slice): Generator<Child> {
  const last = parent.to - 1;
  const hasKeys = isObject(bytes, parent);
  let at = afterSpaces(bytes, parent.from + 1);
  while (at < last) {
    let key = "";
    if (hasKeys) {
      if (bytes[at] !== quote) throw damaged();
      const slice = { from: at, to: endOf(bytes, at) };
      key = keyOf(bytes, slice);
      at = afterSpaces(bytes, slice.to);
      if (bytes[at] !== colon) throw damaged();
      at = afterSpaces(bytes, at + 1);
    }
    const to = endOf(bytes, at);
    if (to === at) throw damaged();
    yield { key, from: at, to };
    at = afterSpaces(bytes, to);
    if (at < last && bytes[at] !== comma) throw damaged();
    at = afterSpaces(bytes, at + 1);
  }
}

/** Parses a value; undefined where it is not valid JSON, or larger than 1 MB. */
export function parse(bytes: Buffer, slice: Slice | undefined): unknown {
  if (slice === undefined || slice.to - slice.from > sliceBytesMax) return undefined;
  try {
    return JSON.parse(bytes.toString("utf8", slice.from, slice.to));
  } catch {
    return undefined;
  }
}

function keyOf(bytes: Buffer, slice: Slice): string {
  const key = slice.to - slice.from <= keyBytesMax ? parse(bytes, slice) : "";
  return typeof key === "string" ? key : "";
}

function afterSpaces(bytes: Buffer, from: number): number {
  let at = from;
  while (spaces.has(bytes[at] ?? 0)) at += 1;
  return at;
}

function endOf(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = closingQuote(bytes, at);
    else if (byte === openObject || byte === openList) depth += 1;
    else if (byte === closeObject || byte === closeList) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (depth > 0) continue;
    else if (byte === comma || byte === colon || spaces.has(byte)) return at;
    else continue;
    if (depth > depthMax) {
      throw new ImportRefused(`The JSON is nested more than ${depthMax} levels deep`, again);
    }
    if (depth === 0) return at + 1;
  }
  if (depth > 0) throw damaged();
  return bytes.length;
}

function closingQuote(bytes: Buffer, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at;
  }
  throw damaged();
}

const again = "export the file again";

function damaged(): ImportRefused {
  return new ImportRefused("The JSON is incomplete or damaged", again);
}
