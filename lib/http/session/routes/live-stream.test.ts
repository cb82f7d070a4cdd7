import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Follower } from "@/lib/engine/live/live";
import { createSlots } from "../files/slots";
import { beatMs, changeMsMin, openLiveStream, streamMsMax } from "./live-stream";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open({ isLive = async () => true, signal = new AbortController().signal } = {}) {
  const followers = new Set<Follower>();
  const closed = vi.fn();
  const stream = openLiveStream({
    follow: (_profileId, follower) => {
      followers.add(follower);
      return () => followers.delete(follower);
    },
    profileId: 1,
    signal,
    isBehind: async () => false,
    isLive,
    closed,
  });
  return { stream, followers, closed };
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

test("ends after ten minutes, also where somebody reads all the time", async () => {
  const { stream, followers, closed } = open();
  const all = textOf(stream);
  await vi.advanceTimersByTimeAsync(streamMsMax - 1);
  expect(closed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await all).toMatch(/^retry: 2000\n\n(: still here\n\n){29,30}$/);
  expect([followers.size, closed.mock.calls.length]).toEqual([0, 1]);
});

test("ends after ten minutes where nobody ever read it or hung up", async () => {
  const { followers, closed } = open();
  await vi.advanceTimersByTimeAsync(streamMsMax);
  expect([followers.size, closed.mock.calls.length]).toEqual([0, 1]);
  expect(vi.getTimerCount()).toBe(0);
});

test("ends at once when its reader may not be told from the start", async () => {
  const { stream, closed } = open({ isLive: async () => false });
  const all = textOf(stream);
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).toHaveBeenCalledOnce();
  expect(await all).toBe("retry: 2000\n\n");
});

test.each([
  ["its session is over", async () => false],
  ["nobody knows", () => Promise.reject(new Error("away"))],
])("ends at the next beat when %s", async (_why, later) => {
  const { stream, closed } = open({ isLive: vi.fn(later).mockResolvedValueOnce(true) });
  const all = textOf(stream);
  await vi.advanceTimersByTimeAsync(beatMs - 1);
  expect(closed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await all).toBe("retry: 2000\n\n");
  expect(closed).toHaveBeenCalledOnce();
});

const changes = (text: string) => text.split("event: change").length - 1;
const change = (followers: Set<Follower>) => {
  for (const follower of followers) follower.changed();
};

test.each([
  ["is over", async () => false],
  ["cannot be looked up", () => Promise.reject(new Error("away"))],
])("closes instead of sending a change when the session %s", async (_why, later) => {
  const { stream, followers } = open({ isLive: vi.fn(later).mockResolvedValueOnce(true) });
  const all = textOf(stream);
  await vi.advanceTimersByTimeAsync(0);
  change(followers);
  await vi.advanceTimersByTimeAsync(0);
  expect(await all).toBe("retry: 2000\n\n");
  expect(vi.getTimerCount()).toBe(0);
});

test("sends the first change at once and the later ones of a second as one, each after a look-up", async () => {
  const isLive = vi.fn(async () => true);
  const { stream, followers } = open({ isLive });
  const all = textOf(stream);
  await vi.advanceTimersByTimeAsync(0);
  isLive.mockClear();
  for (let nth = 0; nth < 50; nth++) change(followers);
  await vi.advanceTimersByTimeAsync(0);
  expect(isLive).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(changeMsMin);
  expect(isLive).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(changeMsMin);
  change(followers);
  await vi.advanceTimersByTimeAsync(0);
  for (const follower of followers) follower.ended();
  expect(changes(await all)).toBe(3);
});

test.each([
  ["hangs up", async (hangUp: AbortController) => hangUp.abort()],
  [
    "cancels",
    async (_hangUp: AbortController, stream: ReadableStream<Uint8Array>) => stream.cancel(),
  ],
])("gives its slot back once when its reader %s", async (_how, go) => {
  const hangUp = new AbortController();
  const { stream, followers, closed } = open({ signal: hangUp.signal });
  await go(hangUp, stream);
  hangUp.abort();
  expect([followers.size, closed.mock.calls.length]).toEqual([0, 1]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a slot that is given back twice is given back once", () => {
  const take = createSlots({ all: 3, perUser: 2 });
  const [one, , other] = [take("a"), take("a"), take("b")];
  expect([take("a"), take("c")]).toEqual([null, null]);
  one?.();
  one?.();
  expect(take("c")).not.toBeNull();
  expect(take("a")).toBeNull();
  other?.();
  expect(take("a")).not.toBeNull();
});
