import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from "node:crypto";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { platform } from "node:os";
import { UsageError } from "./failure";

export interface PublicForms {
  pem: string;
  jwk: JsonWebKey;
  base64: string;
}

/**
 * Reads an Ed25519 key from a file or from the text itself, PEM (PKCS #8) or JWK. A browser saves it where others
 * may read it: the file is closed to them, which `say` reports.
 */
export function readPrivateKey(given: string, say: (text: string) => void): JsonWebKey {
  const isText = given.includes("-----BEGIN") || given.trimStart().startsWith("{");
  const text = isText ? given : readText(given);
  if (text === null) throw new UsageError(`There is no key file ${given}. Make one: prof keygen`);
  const key = importKey(text);
  if (key?.asymmetricKeyType !== "ed25519") {
    const where = isText ? "What PROF_KEY holds" : given;
    throw new UsageError(`${where} is not an Ed25519 private key in PEM (PKCS #8) or JWK.`);
  }
  if (!isText && isOpenToOthers(given)) {
    closeToOthers(given);
    say(`Others could read ${given}. Now only you can.`);
  }
  return key.export({ format: "jwk" });
}

/** Writes a new key into a file that only its owner can read; never overwrites a file. */
export function writeNewKey(file: string): PublicForms {
  const { privateKey } = generateKeyPairSync("ed25519");
  writePrivateFile(file, privateKey.export({ format: "pem", type: "pkcs8" }).toString());
  return publicForms(privateKey.export({ format: "jwk" }));
}

export function publicForms(privateKey: JsonWebKey): PublicForms {
  const key = createPublicKey({ key: { ...privateKey }, format: "jwk" });
  const { kty, crv, x = "" } = key.export({ format: "jwk" });
  return {
    pem: key.export({ format: "pem", type: "spki" }).toString(),
    jwk: { kty, crv, x },
    base64: Buffer.from(x, "base64url").toString("base64"),
  };
}

/**
 * Returns the file's text; null if it does not exist. Refuses a file that others may read, because it holds a
 * secret.
 */
export function readPrivateFile(file: string): string | null {
  if (isOpenToOthers(file)) throw openToOthers(file);
  return readText(file);
}

function readText(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (!found.isFile()) throw new UsageError(`${file} is not a file.`);
  return readFileSync(file, "utf8");
}

// Windows has no such modes.
function isOpenToOthers(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return platform() !== "win32" && found?.isFile() === true && (found.mode & 0o077) !== 0;
}

function closeToOthers(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (cause) {
    throw openToOthers(file, cause);
  }
}

function openToOthers(file: string, cause?: unknown): UsageError {
  const message = `Others may read ${file}. Close it first: chmod 600 ${file}`;
  return new UsageError(message, { cause });
}

export function writePrivateFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code !== "EEXIST") throw new UsageError(`${file} cannot be written (${code}).`, { cause });
    throw new UsageError(`${file} is there already. Choose another name, or move it away.`, {
      cause,
    });
  }
}

function importKey(text: string): KeyObject | null {
  try {
    return text.trimStart().startsWith("{")
      ? createPrivateKey({ key: JSON.parse(text), format: "jwk" })
      : createPrivateKey(text);
  } catch {
    return null;
  }
}
