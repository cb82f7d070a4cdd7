import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from "node:crypto";
import { promisify } from "node:util";
import { BackupRefused } from "./refused";

// A file under a passphrase: a header, then chunks of 1 MiB, each encrypted with AES-256-GCM. The nonce counts the
// chunks and marks the last one, so that none can be moved or left out.

type Bytes = AsyncIterable<Buffer>;

export const sealMagic = Buffer.from("gateway-backup\0\x01", "latin1");

const chunkBytes = 1024 * 1024;
const saltBytes = 16;
const checkBytes = 32;
const tagBytes = 16;
const headerBytes = sealMagic.length + saltBytes + checkBytes;
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };

/** Encrypts a stream. */
export function sealWith(passphrase: string): (source: Bytes) => AsyncGenerator<Buffer> {
  return async function* (source) {
    const salt = randomBytes(saltBytes);
    const { key, check } = await keysOf(passphrase, salt);
    yield Buffer.concat([sealMagic, salt, check]);
    for await (const { chunk, counter, isLast } of inChunks(source, chunkBytes)) {
      const cipher = createCipheriv("aes-256-gcm", key, nonceOf(counter, isLast));
      yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
    }
  };
}

/** Decrypts a stream, and throws where a byte was changed or is missing. */
export function openWith(passphrase: string): (source: Bytes) => AsyncGenerator<Buffer> {
  return async function* (source) {
    const rest = new Pieces(source);
    const header = await rest.take(headerBytes);
    if (header.length < headerBytes) throw cutShort();
    const salt = header.subarray(sealMagic.length, sealMagic.length + saltBytes);
    const { key, check } = await keysOf(passphrase, salt);
    if (!timingSafeEqual(check, header.subarray(-checkBytes))) {
      throw new BackupRefused(
        "The passphrase does not open this backup: give the one that it was made with, as BACKUP_PASSPHRASE.",
      );
    }
    for await (const { chunk, counter, isLast } of inChunks(rest.left(), chunkBytes + tagBytes)) {
      yield decrypt(chunk, { key, counter, isLast });
    }
  };
}

type Place = { key: Buffer; counter: number; isLast: boolean };

function decrypt(chunk: Buffer, { key, counter, isLast }: Place): Buffer {
  if (chunk.length < tagBytes) throw cutShort();
  const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(counter, isLast));
  decipher.setAuthTag(chunk.subarray(-tagBytes));
  const text = decipher.update(chunk.subarray(0, -tagBytes));
  try {
    return Buffer.concat([text, decipher.final()]);
  } catch (cause) {
    if (isLast) throw cutShort();
    throw new BackupRefused("The backup is damaged: take another one.", { cause });
  }
}

export function cutShort(): BackupRefused {
  return new BackupRefused(
    "The backup is cut short or changed: copy it again, or take another one.",
  );
}

async function keysOf(passphrase: string, salt: Buffer) {
  const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);
  const key = await derive(passphrase.normalize("NFC"), salt, 32, cost);
  // Tells a wrong passphrase from a damaged chunk.
  const check = createHmac("sha256", key).update(sealMagic).digest();
  return { key, check };
}

function nonceOf(counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(counter, 0, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

async function* inChunks(source: Bytes, size: number) {
  const pieces = new Pieces(source);
  let chunk = await pieces.take(size);
  for (let counter = 0; ; counter++) {
    const next = await pieces.take(size);
    yield { chunk, counter, isLast: next.length === 0 };
    if (next.length === 0) return;
    chunk = next;
  }
}

/** Cuts a stream into pieces of a given size. */
class Pieces {
  readonly #source: AsyncIterator<Buffer>;
  #held: Buffer[] = [];
  #bytes = 0;

  constructor(source: Bytes) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Returns so many bytes; fewer at the end of the stream. */
  async take(size: number): Promise<Buffer> {
    while (this.#bytes < size) {
      const { value, done } = await this.#source.next();
      if (done) break;
      this.#held.push(value);
      this.#bytes += value.length;
    }
    const all = Buffer.concat(this.#held);
    this.#held = [all.subarray(size)];
    this.#bytes = all.length > size ? all.length - size : 0;
    return all.subarray(0, size);
  }

  async *left(): AsyncGenerator<Buffer> {
    yield* this.#held;
    this.#held = [];
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) {
      yield next.value;
    }
  }
}
