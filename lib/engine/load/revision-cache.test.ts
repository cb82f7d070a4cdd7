import { expect, test } from "vitest";
import { cachedAtRevision, createRevisionCache } from "./revision-cache";

test("a read is cached at its last revision alone, so that revisions do not pile up", async () => {
  const cache = createRevisionCache();
  const reads: string[] = [];
  const at = (revision: string) =>
    cachedAtRevision(cache, {
      what: ["content", 1],
      revision,
      async read() {
        reads.push(revision);
        return { revision };
      },
      revisionOf: (value) => value.revision,
      bytesOf: () => 10,
    });
  for (const revision of ["1", "1", "2", "2", "1"])
    expect(await at(revision)).toEqual({ revision });
  expect(reads).toEqual(["1", "2", "1"]);
});

test("an entry that is no longer good is read again", async () => {
  const cache = createRevisionCache();
  let reads = 0;
  const known = (isGood: boolean) =>
    cachedAtRevision(cache, {
      what: ["facts", 1],
      revision: "1",
      read: async () => ({ nth: ++reads }),
      revisionOf: () => "1",
      bytesOf: () => 10,
      isGood: () => isGood,
    });
  expect(await known(true)).toEqual({ nth: 1 });
  expect(await known(true)).toEqual({ nth: 1 });
  expect(await known(false)).toEqual({ nth: 2 });
});
