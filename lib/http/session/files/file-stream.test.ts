import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forbidden } from "@/lib/protocol/errors";
import { fileMsMax, fileStream } from "./file-stream";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open(pieces: number, signal = new AbortController().signal) {
  const read = { pages: 0, isEnded: false };
  async function* texts() {
    try {
      for (; read.pages < pieces; ) yield `page ${++read.pages};`;
      if (pieces === 2) throw forbidden("not any more");
    } finally {
      read.isEnded = true;
    }
  }
  const closed = vi.fn();
  return { stream: fileStream({ texts: texts(), signal, closed }), read, closed };
}

test("a file that is read to its end is whole, and its slot is free", async () => {
  const { stream, closed } = open(3);
  expect(await new Response(stream).text()).toBe("page 1;page 2;page 3;");
  expect(closed).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

test("a page that is refused breaks the file off", async () => {
  const { stream, closed } = open(2);
  const broken = { name: "AbortError", message: "not any more" };
  await expect(new Response(stream).text()).rejects.toMatchObject(broken);
  expect(closed).toHaveBeenCalledOnce();
});

test("a file that is not read to its end within five minutes breaks off, and reads no more pages", async () => {
  const { stream, read, closed } = open(1_000);
  const reader = stream.getReader();
  await reader.read();
  await vi.advanceTimersByTimeAsync(fileMsMax);
  const pages = read.pages;
  await expect(reader.read()).rejects.toThrow("took too long");
  expect([pages <= 3, read.pages, read.isEnded]).toEqual([true, pages, true]);
  expect(closed).toHaveBeenCalledOnce();
});

test("a file whose reader hangs up, or cancels, gives its slot back once", async () => {
  const hangUp = new AbortController();
  const one = open(1_000, hangUp.signal);
  hangUp.abort();
  await expect(new Response(one.stream).text()).rejects.toThrow("hung up");
  const other = open(1_000);
  await other.stream.cancel();
  for (const { closed } of [one, other]) expect(closed).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
