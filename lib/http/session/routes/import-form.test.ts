import { describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import type { GatewayError } from "@/lib/protocol/errors";
import { rowsOf } from "@/lib/services/archive/packed-archive";
import { withImport } from "./import-form";
import { archives, type ImportForm, importBytesMax } from "./read-import";

const boundary = "----form";
const head = [
  `--${boundary}\r\nContent-Disposition: form-data; name="profile"\r\n\r\ndid:prof:user:local:alice`,
  `--${boundary}\r\nContent-Disposition: form-data; name="policies"\r\n\r\non`,
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="{a}.json"\r\nContent-Type: application/json\r\n\r\n`,
].join("\r\n");
const tail = `\r\n--${boundary}--\r\n`;

const at = "2026-03-01T12:00:00.000Z";
const archive = {
  format: "profile-archive",
  version: 1,
  exportedAt: at,
  profile: {
    did: "did:prof:user:local:alice",
    profileType: "human",
    version: "1.0",
    common: { events: [1], note: 'a "quote\\" and [a bracket' },
    createdAt: at,
  },
  namedValues: [{ category: "prof:x", name: "n", value: { events: [{ x: "]" }], list: [[]] } }],
  memories: [],
  proposals: [],
  policies: [],
  consentRequests: [],
  receipts: [],
  tokens: [],
  keys: [],
};
const event = {
  id: "evt_1",
  at,
  actor: "agent",
  actorId: "did:prof:agent:local:iris",
  verb: "getProfile",
  outcome: "ok",
  position: "1",
  hash: "0".repeat(64),
  detail: { note: '"]}', padding: "x".repeat(600), nested: [[{ events: [] }]] },
};

function formOf(body: ReadableStream<Uint8Array>): Request {
  return new Request("http://gateway.test/api/profile/import", {
    method: "POST",
    headers: { "Content-Type": `multipart/form-data; boundary=${boundary}` },
    body,
    duplex: "half",
  } as RequestInit);
}

function streamed(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = iterator.next();
      if (done) controller.close();
      else controller.enqueue(Buffer.from(value));
    },
  });
}

/** Sends this much, and then nothing more until it is told to end. */
function stalled(text: string) {
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(text));
      end = () => controller.error(new Error("hung up"));
    },
  });
  return { body, end: () => end() };
}

function* fileWith(events: number): Generator<string> {
  yield `${head}${JSON.stringify(archive).slice(0, -1)},\n"events":[\n`;
  const line = JSON.stringify(event);
  for (let n = 0; n < events; n += 100) {
    yield Array.from({ length: 100 }, () => line).join(",\n") + (n + 100 < events ? ",\n" : "");
  }
  yield `]\n}\n${tail}`;
}

function read(body: ReadableStream<Uint8Array>, userId = newId("usr")) {
  return withImport({ request: formOf(body), userId, kind: archives }, async (form) => form);
}

const lists = ["namedValues", "proposals", "memories", "revisions", "policies"] as const;

/** What a form brought, without the slices it came in. */
function unpacked({ archive, ...form }: ImportForm) {
  if ("issues" in archive) return { ...form, ...archive };
  const rows = lists.map((list) => [list, [...rowsOf(archive, list)].flat()]);
  return { ...form, profileOfFile: archive.profile, ...Object.fromEntries(rows) };
}

const { did, common } = archive.profile;
const whole = {
  profile: "did:prof:user:local:alice",
  password: null,
  switchPoliciesOn: true,
  profileOfFile: { did, common },
  namedValues: archive.namedValues,
  proposals: [],
  memories: [],
  revisions: [],
  policies: [],
};

describe("an import's file", () => {
  test("with 100,000 events, larger than what is held, is read without them", async () => {
    const began = performance.now();
    let bytes = 0;
    function* counted() {
      for (const piece of fileWith(100_000)) {
        bytes += piece.length;
        yield piece;
      }
    }
    expect(unpacked(await read(streamed(counted())))).toEqual(whole);
    expect(bytes).toBeGreaterThan(1.5 * importBytesMax);
    expect(performance.now() - began).toBeLessThan(20_000);
  }, 60_000);

  test("arrives the same however it is cut and laid out", async () => {
    const logged = { ...archive, events: [event, event] };
    const { events, ...others } = logged;
    const texts = [JSON.stringify(logged), JSON.stringify(logged, null, 2)];
    texts.push(JSON.stringify({ events, ...others }));
    for (const text of texts) {
      for (const size of [1, 7, 4_096]) {
        const form = `${head}${text}${tail}`;
        const cut = form.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        expect(unpacked(await read(streamed(cut)))).toEqual(whole);
      }
    }
  });

  const shape = JSON.stringify({ ...archive, events: [] });
  const listOf = (item: string, count: number) => `[${`${item},`.repeat(count - 1)}${item}]`;
  const memories = (text: string) => shape.replace('"memories":[]', `"memories":${text}`);
  test.each([
    ["is larger than 50 MB", `${shape.slice(0, -1)},"x":"${"x".repeat(importBytesMax)}"}`, /50 MB/],
    ["holds a member twice", `${shape.slice(0, -1)},"events":[{"id":1}]}`, /same member twice/],
    ["ends too early", "{", /one JSON value/],
    ["is empty", "", /Choose a file/],
    ["ends in its events", '{"events":[', /Could not be read/],
    ["has too many numbers", memories(listOf("0", 7_000_000)), /more than 3,000,000 values/],
    ["has too many objects", memories(listOf("{}", 5_000_000)), /more than 3,000,000 values/],
    ["has too many lists", memories(listOf("[]", 5_000_000)), /more than 3,000,000 values/],
    ["is nested too deep", memories("[".repeat(33) + "]".repeat(33)), /deeper than 32 levels/],
    ["has too many memories", memories(listOf("{}", 50_001)), /memories.*<=50000/],
    ["has 50,000 that are none", memories(listOf("{}", 50_000)), /memories\.0\.id/],
  ])("is refused where it %s, in words that say so", async (_what, text, words) => {
    const issues = await read(streamed([head, text, tail])).then(
      (form) => ("issues" in form.archive ? form.archive.issues : []),
      (error: GatewayError) => error.details?.issues,
    );
    expect(JSON.stringify(issues)).toMatch(words);
  });

  test("is refused where it is no form", async () => {
    await expect(read(streamed(["no form"]))).rejects.toMatchObject({ code: "PROF006" });
  });
});

describe("imports at once", () => {
  const honest = () => streamed(fileWith(100));

  test("do not wait for one that comes slowly, but each user has one", async () => {
    const slow = stalled(head);
    const userId = newId("usr");
    const waiting = read(slow.body, userId);
    await expect(read(honest())).resolves.toMatchObject({ profile: "did:prof:user:local:alice" });
    await expect(read(honest(), userId)).rejects.toMatchObject({
      code: "PROF503",
      http: 503,
      headers: { "Retry-After": "15" },
    });
    slow.end();
    await expect(waiting).rejects.toMatchObject({ code: "PROF006" });
    await expect(read(honest(), userId)).resolves.toMatchObject({ switchPoliciesOn: true });
  });

  const mib = 1024 * 1024;
  const partOf = (bytes: number) => `${head}{"x":"${"x".repeat(bytes)}`;

  test.each([3, 4])("of %i users with large files leave room for ordinary ones", async (count) => {
    const large = Array.from({ length: count }, () => stalled(partOf(importBytesMax / 2)));
    const waiting = large.map(({ body }) => read(body));
    const settling = Promise.allSettled(waiting);
    await expect(Promise.race(waiting)).rejects.toMatchObject({ code: "PROF503" });
    const ordinary = `${head}${JSON.stringify(archive).slice(0, -1)},"events":[]}${tail}`;
    await expect(read(streamed([ordinary]))).resolves.toMatchObject({ switchPoliciesOn: true });
    for (const { end } of large) end();
    await settling;
  });

  test("hold no more than two whole files in memory: the next is told to come back", async () => {
    // The last one is ordinary as far as it has come.
    const held = [30 * mib, 30 * mib, ...Array<number>(10).fill(4 * mib - 1_000)];
    const senders = held.map((bytes) => stalled(partOf(bytes)));
    const waiting = senders.map(({ body }) => read(body));
    const settling = Promise.allSettled(waiting);
    const third = read(streamed([partOf(3 * mib), `"}`, tail]));
    await expect(third).rejects.toMatchObject({ code: "PROF503" });
    for (const { end } of senders) end();
    await settling;
    await expect(read(honest())).resolves.toMatchObject({ switchPoliciesOn: true });
  });

  test("do not wait for those that are being stored, and each of these has a signal", async () => {
    let storing = 0;
    let end = () => {};
    const stored = new Promise<void>((resolve) => {
      end = resolve;
    });
    const all = Array.from({ length: 3 }, () =>
      withImport(
        { request: formOf(honest()), userId: newId("usr"), kind: archives },
        async (_form, signal) => {
          storing += 1;
          await stored;
          return signal.aborted;
        },
      ),
    );
    await expect.poll(() => storing).toBe(3);
    end();
    expect(await Promise.all(all)).toEqual([false, false, false]);
  });

  test("ends the work once its sender is gone", async () => {
    const gone = new AbortController();
    const request = new Request(formOf(honest()), { signal: gone.signal });
    const work = withImport(
      { request, userId: newId("usr"), kind: archives },
      async (_form, signal) => {
        gone.abort();
        return signal.aborted;
      },
    );
    expect(await work).toBe(true);
  });

  test("end with their sender, however much has come: the next of the same user is read", async () => {
    const gone = new AbortController();
    let pieces = 0;
    function* sent() {
      for (const piece of fileWith(20_000)) {
        if (++pieces === 20) gone.abort();
        yield piece;
      }
    }
    const request = new Request(formOf(streamed(sent())), { signal: gone.signal });
    const userId = newId("usr");
    const broken = withImport({ request, userId, kind: archives }, async (form) => form);
    await expect(broken).rejects.toMatchObject({ code: "PROF006" });
    expect(pieces).toBeLessThan(25);
    await expect(read(honest(), userId)).resolves.toMatchObject({ switchPoliciesOn: true });
  });

  test("are read two at a time: eight wait, and the next is told to come back", async () => {
    const settled = await Promise.allSettled(Array.from({ length: 11 }, () => read(honest())));
    const refused = settled.filter(({ status }) => status === "rejected");
    expect(refused).toMatchObject([{ reason: { code: "PROF503" } }]);
    await expect(read(honest())).resolves.toMatchObject({ switchPoliciesOn: true });
  });

  test("of large files are read one at a time, and keep no ordinary one waiting", async () => {
    const body = JSON.stringify(archive).slice(0, -1);
    let sent = 0;
    function* large() {
      yield `${head}${body},"x":"${"x".repeat(8 * mib)}"}${tail}`;
      sent++;
    }
    const ended: string[] = [];
    const end = (name: string) => () => void ended.push(name);
    const waiting = Array.from({ length: 4 }, () => read(streamed(large())).then(end("large")));
    await expect.poll(() => sent, { interval: 5 }).toBe(4);
    const small = read(honest()).then(end("ordinary"));
    await Promise.allSettled([...waiting, small]);
    expect(ended.indexOf("ordinary")).toBeLessThan(2);
  });
});
