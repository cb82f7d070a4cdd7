import { setImmediate } from "node:timers/promises";

// The log is the largest part of an archive, and imports ignore it. It is removed as the bytes pass, so that
// memory does not grow with it.

const [quote, backslash, comma, colon] = bytesOf('"\\,:');
const [openObject, closeObject, openList, closeList] = bytesOf("{}[]");
// Where a part of a form begins with an object.
const beginning = bytesOf("\r\n\r\n{");
const key = bytesOf('events"');

function bytesOf(text: string): number[] {
  return [...Buffer.from(text)];
}

/** Empties the list `events` in the JSON of a form on its way. Reads no further than it needs to. */
export function withoutEvents(): TransformStream<Uint8Array, Uint8Array> {
  const scanner = new Scanner();
  return new TransformStream({
    async transform(chunk, controller) {
      for (const kept of scanner.keptOf(chunk)) controller.enqueue(kept);
      // Otherwise everything that has arrived would be scanned in one turn.
      await setImmediate();
    },
  });
}

class Scanner {
  #begun = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #expectsKey = false;
  /** How many bytes of the key matched; -1 in a string that is another. */
  #matched = -1;
  #isEvents = false;
  #isLeavingOut = false;

  *keptOf(chunk: Uint8Array): Generator<Uint8Array> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const wasLeavingOut = this.#isLeavingOut;
      this.#read(chunk[at] ?? 0);
      if (this.#isLeavingOut === wasLeavingOut) continue;
      // Keeps a copy of the brackets around what is removed: a slice would keep the whole chunk in memory.
      if (this.#isLeavingOut) yield chunk.slice(from, at + 1);
      else from = at;
    }
    if (!this.#isLeavingOut) yield from === 0 ? chunk : chunk.slice(from);
  }

  #read(byte: number): void {
    if (this.#depth === 0) this.#seekBeginning(byte);
    else if (this.#inString) this.#readString(byte);
    else this.#readStructure(byte);
  }

  #seekBeginning(byte: number): void {
    if (byte === beginning[this.#begun]) this.#begun += 1;
    else this.#begun = byte === beginning[0] ? 1 : 0;
    if (this.#begun < beginning.length) return;
    this.#begun = 0;
    this.#depth = 1;
    this.#expectsKey = true;
  }

  #readString(byte: number): void {
    if (this.#matched >= 0) {
      this.#matched = byte === key[this.#matched] ? this.#matched + 1 : -1;
      if (this.#matched === key.length) this.#isEvents = true;
    }
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#inString = false;
  }

  #readStructure(byte: number): void {
    if (byte === quote) {
      this.#inString = true;
      this.#matched = this.#depth === 1 && this.#expectsKey ? 0 : -1;
    } else if (byte === openObject || byte === openList) {
      this.#depth += 1;
      if (this.#depth === 2 && this.#isEvents && byte === openList) this.#isLeavingOut = true;
    } else if (byte === closeObject || byte === closeList) {
      this.#depth -= 1;
      if (this.#depth === 1) this.#isLeavingOut = false;
    } else if (this.#depth === 1 && (byte === comma || byte === colon)) {
      this.#expectsKey = byte === comma;
      if (byte === comma) this.#isEvents = false;
    }
  }
}
