import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { BackupRefused } from "../refused";
import type { S3Place } from "./place";
import { encodeStrictly, sha256, signedHeaders } from "./s3-signature";
import { type BackupTarget, localFile, type StoredObject } from "./target";

interface Call {
  method: "GET" | "PUT" | "DELETE";
  name?: string;
  query?: Record<string, string>;
  body?: { content: Readable; bytes: number; sha256: string };
}

const idleMsMax = 60_000;
const pageMax = 1_000;
// What S3 takes in one piece.
const putBytesMax = 5 * 1024 ** 3;
const tooLarge =
  "The backup is larger than the 5 GiB that S3 takes at once: set BACKUP_URL to a folder.";

export function createS3Target(place: S3Place, folder: string): BackupTarget {
  const { endpoint } = place;
  const done = async (call: Call) => void (await text(await send(place, call)));
  const local = { folder, isElsewhere: true };
  return {
    description: `${endpoint.host}${endpoint.pathname}${place.prefix}`,
    ...local,
    async store(name, hash) {
      const file = localFile(local, name);
      try {
        const { size: bytes } = await stat(file);
        if (bytes > putBytesMax) throw new BackupRefused(tooLarge);
        const content = createReadStream(file);
        await done({ method: "PUT", name, body: { content, bytes, sha256: hash } });
      } finally {
        await rm(file, { force: true });
      }
    },
    async write(name, content) {
      const body = Buffer.from(content);
      await done({
        method: "PUT",
        name,
        body: { content: Readable.from([body]), bytes: body.length, sha256: sha256(content) },
      });
    },
    list: () => list(place),
    read: (name) => send(place, { method: "GET", name }),
    remove: (name) => done({ method: "DELETE", name }),
  };
}

async function list(place: S3Place): Promise<StoredObject[]> {
  const found: StoredObject[] = [];
  const query: Record<string, string> = {
    "list-type": "2",
    "max-keys": String(pageMax),
    prefix: place.prefix,
  };
  for (;;) {
    const page = await text(await send(place, { method: "GET", query }));
    for (const entry of page.split("<Contents>").slice(1)) {
      const name = element(entry, "Key").slice(place.prefix.length);
      found.push({ name, bytes: Number(element(entry, "Size")) });
    }
    const next = element(page, "NextContinuationToken");
    if (next === "") return found;
    query["continuation-token"] = next;
  }
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function element(xml: string, tag: "Key" | "Size" | "Code" | "NextContinuationToken"): string {
  const content = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? "";
  return content.replaceAll(/&(\w+);/g, (all, entity) => entities[entity] ?? all);
}

/** Sends one request and returns the answer, of which the body is still to be read. */
async function send(place: S3Place, call: Call): Promise<IncomingMessage> {
  const { method, name, query = {}, body } = call;
  const url = new URL(place.endpoint);
  if (name !== undefined) {
    url.pathname += (place.prefix + name).split("/").map(encodeStrictly).join("/");
  }
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
  const headers = signedHeaders({
    ...place,
    method,
    url,
    headers: body === undefined ? {} : { "content-length": String(body.bytes) },
    bodyHash: body?.sha256 ?? sha256(""),
    at: new Date(),
  });
  const answer = await exchange(url, { method, headers }, body?.content).catch((cause: Error) => {
    throw new BackupRefused(
      `The storage at ${url.host} does not answer (${Reflect.get(cause, "code") ?? cause.message}): check the address in BACKUP_URL.`,
      { cause },
    );
  });
  const { statusCode = 0 } = answer;
  if (statusCode >= 200 && statusCode < 300) return answer;
  const code = element((await text(answer)).slice(0, 10_000), "Code");
  throw new BackupRefused(
    `The storage at ${url.host} refuses (${statusCode}${code && ` ${code}`}): check key, secret, region and bucket in BACKUP_URL.`,
  );
}

interface Head {
  method: string;
  headers: Record<string, string>;
}

async function exchange(url: URL, head: Head, content: Readable | undefined) {
  const start = url.protocol === "https:" ? tlsRequest : plainRequest;
  const outgoing = start(url, { ...head, agent: false, timeout: idleMsMax });
  outgoing.once("timeout", () => outgoing.destroy(new Error("ETIMEDOUT")));
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once("response", resolve);
    outgoing.once("error", reject);
  });
  // Storage that refuses may answer before it has read the whole body.
  const sent = content === undefined ? outgoing.end() : pipeline(content, outgoing);
  await Promise.race([answered, Promise.resolve(sent).then(() => answered)]);
  return answered;
}
