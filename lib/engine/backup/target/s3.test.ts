import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { startS3Server } from "@/tests/support/storage/s3-server";
import { openTarget } from "./open-target";
import { parsePlace } from "./place";
import { backupName, listBackups, pruneBackups, writeSummary } from "./retention";
import { sha256, signedHeaders } from "./s3-signature";
import { type BackupTarget, localFile } from "./target";

const folder = await mkdtemp(path.join(tmpdir(), "gateway-target-"));
const server = await startS3Server();
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const s3 = openTarget(parsePlace(server.url), folder);

async function stored(target: BackupTarget, name: string, content: string): Promise<void> {
  await writeFile(localFile(target, name), content);
  await target.store(name, sha256(content));
}

// The examples of "Signature Calculations for the Authorization Header", Amazon S3 API Reference.
describe("a request is signed as in S3's own examples", () => {
  const example = {
    at: new Date("2013-05-24T00:00:00.000Z"),
    region: "us-east-1",
    key: "AKIAIOSFODNN7EXAMPLE",
    secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  };
  const host = "https://examplebucket.s3.amazonaws.com";
  test.each([
    [
      "GET",
      "/test.txt",
      { range: "bytes=0-9" },
      "",
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    ],
    [
      "PUT",
      "/test%24file.text",
      { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      "Welcome to Amazon S3.",
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    ],
    [
      "GET",
      "/?lifecycle",
      {},
      "",
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
    ],
    [
      "GET",
      "/?max-keys=2&prefix=J",
      {},
      "",
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
    ],
  ])("%s %s", (method, target, headers, body, signature) => {
    const { authorization } = signedHeaders({
      ...example,
      method,
      url: new URL(host + target),
      headers: headers as Record<string, string>,
      bodyHash: sha256(body),
    });
    expect(authorization).toMatch(new RegExp(`Signature=${signature}$`));
  });
});

describe("storage that speaks S3", () => {
  test("stores a file -> it is there with its content, below the prefix, and no copy is left here", async () => {
    await stored(s3, "a (1)&ü.tar.gz", "content");
    expect(server.objects.get("some/prefix/a (1)&ü.tar.gz")?.toString()).toBe("content");
    expect(await readdir(folder)).toEqual([]);
    expect(await text(Readable.from(await s3.read("a (1)&ü.tar.gz")))).toBe("content");
    expect(await s3.list()).toEqual([{ name: "a (1)&ü.tar.gz", bytes: 7 }]);
    await s3.remove("a (1)&ü.tar.gz");
    expect(await s3.list()).toEqual([]);
  });

  test("lists more than one page, and nothing outside of the prefix", async () => {
    server.objects.set("other", Buffer.from("x"));
    for (const name of ["a", "b", "c", "d", "e"]) await s3.write(name, name);
    expect((await s3.list()).map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e"]);
    for (const name of ["a", "b", "c", "d", "e"]) await s3.remove(name);
  });

  test.each([
    [
      "another secret",
      (url: string) => url.replace("Secret", "Other"),
      /refuses \(403 SignatureDoesNotMatch\)/,
    ],
    [
      "another key",
      (url: string) => url.replace("AKID", "BKID"),
      /refuses \(403 InvalidAccessKeyId\)/,
    ],
    [
      "another bucket",
      (url: string) => url.replace("/bucket/", "/else/"),
      /refuses \(404 NoSuchBucket\)/,
    ],
    ["another region", (url: string) => url.replace("eu-", "us-"), /AuthorizationHeaderMalformed/],
  ])("%s -> a sentence without the secret", async (_what, change, sentence) => {
    const target = openTarget(parsePlace(change(server.url)), folder);
    const failure = await target.list().catch((error: Error) => error);
    expect(failure).toMatchObject({
      name: "BackupRefused",
      message: expect.stringMatching(sentence),
    });
    expect(String(failure)).not.toMatch(/te\/st|te%2Fst/);
  });

  test("is not there, or hangs up -> says so, and no copy is left here", async () => {
    const mute = createServer((socket) => socket.once("data", () => socket.destroy()));
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
    const { port } = mute.address() as { port: number };
    for (const at of ["127.0.0.1:1", `127.0.0.1:${port}`]) {
      const target = openTarget(parsePlace(server.url.replace(/127[^/]+/, at)), folder);
      await expect(stored(target, "lost", "x".repeat(1_000_000))).rejects.toThrow(
        /does not answer \(E/,
      );
    }
    mute.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test("refuses once -> nothing is stored, and no copy is left here", async () => {
    server.failNext(1);
    await expect(stored(s3, "lost", "x")).rejects.toThrow(/refuses \(503 SlowDown\)/);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe.each([
  ["a folder", () => openTarget({ kind: "folder", folder }, folder)],
  ["S3", () => s3],
])("retention in %s", (_where, open) => {
  const target = open();
  const nameOf = (day: number) => backupName(new Date(Date.UTC(2026, 0, day, 3)));
  const summary = { bytes: 3, madeAt: "2026-01-01T03:00:00.000Z", version: "0.1.0", rows: 1 };

  test("keeps the newest 14 that are whole, and never touches what it cannot read", async () => {
    for (let day = 1; day <= 18; day++) {
      await stored(target, nameOf(day), "abc");
      await writeSummary(target, nameOf(day), { ...summary, bytes: day === 3 ? 2 : 3 });
    }
    await stored(target, nameOf(19), "abc");
    await stored(target, "gateway-of-mine.tar.gz", "abc");
    await target.write(nameOf(18).replace(".tar.gz", ".json"), "{");
    expect(await pruneBackups(target)).toBe(2);
    const left = await listBackups(target);
    const kept = [19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3];
    expect(left.map(({ name }) => name)).toEqual(kept.map(nameOf));
    expect(left.filter((one) => one.summary === null).map(({ name }) => name)).toEqual(
      [19, 18, 3].map(nameOf),
    );
    expect(await pruneBackups(target)).toBe(0);
    const names = (await target.list()).map(({ name }) => name);
    expect(names).toContain("gateway-of-mine.tar.gz");
    expect(names.filter((name) => name.endsWith(".json"))).toHaveLength(16);
    for (const name of names) await target.remove(name);
  });
});
