import { describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { importBytesMax, withImport } from "./import-form";

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
  return withImport({ request: formOf(body), userId, admit: async () => {} }, async (form) => form);
}

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
    expect(await read(streamed(counted()))).toEqual({
      archive: { ...archive, events: [] },
      profile: "did:prof:user:local:alice",
      switchPoliciesOn: true,
    });
    expect(bytes).toBeGreaterThan(1.5 * importBytesMax);
    expect(performance.now() - began).toBeLessThan(20_000);
  }, 60_000);

  test("arrives the same however it is cut and laid out", async () => {
    const whole = { ...archive, events: [event, event] };
    const { events, ...others } = whole;
    const texts = [JSON.stringify(whole), JSON.stringify(whole, null, 2)];
    texts.push(JSON.stringify({ events, ...others }));
    for (const text of texts) {
      for (const size of [1, 7, 4_096]) {
        const form = `${head}${text}${tail}`;
        const cut = form.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        expect((await read(streamed(cut))).archive).toEqual({ ...archive, events: [] });
      }
    }
  });

  test("is refused where it is too large without them, says a thing twice, or is none", async () => {
    const large = JSON.stringify({ ...archive, padding: "x".repeat(importBytesMax), events: [] });
    const twice = `${JSON.stringify(archive).slice(0, -1)},"events":[],"events":[{"id":1}]}`;
    for (const text of [large, twice, "{", "", '{"events":[']) {
      const refused = read(streamed([head, text, tail]));
      await expect(refused).rejects.toMatchObject({ code: "PROF006" });
    }
    await expect(read(streamed(["no form"]))).rejects.toMatchObject({ code: "PROF006" });
  });
});

describe("imports at once", () => {
  const whole = () => streamed(fileWith(100));

  test("do not wait for one that comes slowly, but each user has one", async () => {
    const slow = stalled(head);
    const userId = newId("usr");
    const waiting = read(slow.body, userId);
    await expect(read(whole())).resolves.toMatchObject({ profile: "did:prof:user:local:alice" });
    await expect(read(whole(), userId)).rejects.toMatchObject({
      code: "PROF503",
      http: 503,
      headers: { "Retry-After": "15" },
    });
    slow.end();
    await expect(waiting).rejects.toMatchObject({ code: "PROF006" });
    await expect(read(whole(), userId)).resolves.toMatchObject({ switchPoliciesOn: true });
  });

  test("hold no more than two whole files in memory: the next is told to come back", async () => {
    const much = `${head}{"x":"${"x".repeat(importBytesMax - 1_000)}`;
    const large = [stalled(much), stalled(much)];
    const waiting = large.map(({ body }) => read(body));
    const third = read(streamed([head, `{"x":"${"x".repeat(1024 * 1024)}"}`, tail]));
    await expect(third).rejects.toMatchObject({ code: "PROF503" });
    for (const { end } of large) end();
    await Promise.allSettled(waiting);
    await expect(read(whole())).resolves.toMatchObject({ switchPoliciesOn: true });
  });
});
