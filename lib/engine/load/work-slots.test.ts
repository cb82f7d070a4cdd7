import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { createWorkSlots } from "./work-slots";

/** Takes places under a name, and keeps what gives back those that began. */
function queue() {
  const places = createWorkSlots({ underWayMax: 4, underWayMaxPerPeer: 2 });
  const began: string[] = [];
  const releases = new Map<string, () => void>();
  const refused: string[] = [];
  const take = (peer: string | null, name: string, isFirst = false) =>
    places.take(peer, {
      isFirst,
      begin(release) {
        began.push(name);
        releases.set(name, release);
      },
      refuse: () => void refused.push(name),
    });
  return { began, refused, take, release: (name: string) => releases.get(name)?.() };
}

test("starts two requests of a peer and four in all, the others in turn by peer", () => {
  const { began, take, release } = queue();
  for (const peer of ["a", "b", "c"]) for (const nth of [1, 2, 3, 4]) take(peer, `${peer}${nth}`);
  expect(began).toEqual(["a1", "a2", "b1", "b2"]);
  for (let at = 0; at < began.length; at++) release(began[at] ?? "");
  expect(began.slice(4, 8)).toEqual(["a3", "c1", "b3", "a4"]);
  expect(began.toSorted()).toEqual(
    ["a", "b", "c"].flatMap((peer) => [1, 2, 3, 4].map((nth) => `${peer}${nth}`)),
  );
});

test("starts four requests of peers that cannot be told apart", () => {
  const { began, take } = queue();
  for (let nth = 0; nth < 5; nth++) take(null, `${nth}`);
  expect(began).toHaveLength(4);
});

test("gives a place back once, however often it is released", () => {
  const { began, take, release } = queue();
  for (const nth of [1, 2, 3, 4]) take("a", `${nth}`);
  for (let time = 0; time < 5; time++) release("1");
  expect(began).toEqual(["1", "2", "3"]);
});

test("refuses a peer's 65th waiting request", () => {
  const { began, refused, take } = queue();
  for (let nth = 1; nth <= 67; nth++) take("a", `${nth}`);
  expect([began, refused]).toEqual([["1", "2"], ["67"]]);
});

test("where 256 wait, the last one of those peers that have most gives way, and nobody whose turn is next", () => {
  const { began, refused, take, release } = queue();
  for (const peer of ["a", "b", "c", "d"]) {
    const count = began.length < 4 ? 66 : 64;
    for (let nth = 1; nth <= count; nth++) take(peer, `${peer}${nth}`);
  }
  expect(refused).toEqual([]);
  take("e", "e1");
  expect(refused).toEqual(["d64"]);
  for (let at = 0; at < 8; at++) release(began[at] ?? "");
  expect(began).toContain("e1");
});

test("forgets a request that leaves, and lets another wait in its place", () => {
  const { began, take, release } = queue();
  const [, , leave] = [1, 2, 3, 4].map((nth) => take("a", `${nth}`));
  leave?.();
  leave?.();
  release("1");
  expect(began).toEqual(["1", "2", "4"]);
});

test("starts what goes first before peers that came earlier, and after four of them one of these", () => {
  const { began, take, release } = queue();
  for (let nth = 1; nth <= 40; nth++) take(`crowd ${nth}`, `crowd ${nth}`);
  for (const name of ["u", "v", "x", "y", "z"]) take(name, name, true);
  for (let at = 0; at < 7; at++) release(began[at] ?? "");
  expect(began.slice(4, 10)).toEqual(["u", "v", "x", "y", "crowd 5", "z"]);
});

test("starts what goes first one after the other, by peer, where nothing else waits", () => {
  const { began, take, release } = queue();
  for (let nth = 1; nth <= 3; nth++)
    for (const peer of ["a", "b", "c"]) take(peer, `${peer}${nth}`, true);
  for (let at = 0; at < began.length; at++) release(began[at] ?? "");
  expect(began.slice(4)).toEqual(["b2", "c2", "a3", "b3", "c3"]);
});

// React caches the user of a request in such a store.
test("a crowd of peers refuses who comes last, in the async context of its caller as all work", () => {
  const store = new AsyncLocalStorage<string>();
  const slots = createWorkSlots({ underWayMax: 1, underWayMaxPerPeer: 1 });
  const ran: string[] = [];
  const releases: (() => void)[] = [];
  const take = (peer: string) => {
    const note = (what: string) => void ran.push(`${what} by ${store.getStore()}`);
    const begin = (release: () => void) => {
      note("begun");
      releases.push(release);
    };
    store.run(peer, () => slots.take(peer, { begin, refuse: () => note("refused") }));
  };
  take("first");
  take("second");
  store.run("first", () => releases[0]?.());
  for (let nth = 0; nth < 257; nth++) take(`${nth}`);
  expect(ran).toEqual(["begun by first", "begun by second", "refused by 256"]);
});
