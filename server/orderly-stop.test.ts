import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { addressOf, startGateway } from "@/tests/support/processes";

const folder = await mkdtemp(path.join(tmpdir(), "gateway-stop-"));
afterAll(() => rm(folder, { recursive: true }));

const gateway = startGateway({ DATA_FOLDER: folder }, "--demo");
const address = await addressOf(gateway);

// As a browser holds it while a page of the dashboard is open.
async function openStream(): Promise<ReadableStreamDefaultReader<string>> {
  await gateway.says(/Demo keys/);
  const { users } = JSON.parse(await readFile(path.join(folder, "demo/demo.json"), "utf8"));
  const { email, password, did } = users[0];
  const jar = new Map<string, string>();
  async function ask(target: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address + target, { ...init, headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    return response;
  }
  const { csrfToken } = await (await ask("/api/auth/csrf")).json();
  const body = new URLSearchParams({ email, password, csrfToken, json: "true" });
  await (await ask("/api/auth/callback/credentials", { method: "POST", body })).text();
  const stream = await ask(`/api/live?profile=${encodeURIComponent(did)}`);
  expect(stream.status).toBe(200);
  if (stream.body === null) throw new Error("the stream has no body");
  return stream.body.pipeThrough(new TextDecoderStream()).getReader();
}

test("SIGTERM closes the streams of open pages at once, and does not wait for them", async () => {
  const readers = [await openStream(), await openStream()];
  for (const reader of readers) expect((await reader.read()).value).toMatch(/^retry: /);
  const began = performance.now();
  const stopped = gateway.stop("SIGTERM");
  for (const reader of readers) {
    let last = await reader.read();
    while (!last.done) last = await reader.read();
  }
  expect(await stopped).toBe(0);
  // Ten seconds are what a request that hangs would be given.
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(gateway.output()).not.toMatch(/"level":(40|50)/);
});
