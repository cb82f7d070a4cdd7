import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { isSoundPublicKey } from "@/lib/protocol/signature";
import { spkiPrefix } from "./public-key";

/** Verifies Ed25519 signatures. */
export interface Verifier {
  name: string;
  /** False for a key that is not sound, whatever the signature. */
  verifies(publicKey: Buffer, text: Buffer, signature: Uint8Array): boolean;
}

type Libsodium = typeof import("sodium-native");

/** libsodium takes half of OpenSSL's time, but has no build for every system. */
export async function chooseVerifier(
  load: () => Promise<Libsodium> = () => import("sodium-native"),
): Promise<Verifier> {
  try {
    return libsodiumVerifier(await load());
  } catch (error) {
    if (isNotForThisSystem(error)) return opensslVerifier();
    throw error;
  }
}

function isNotForThisSystem(error: unknown): boolean {
  if (!(error instanceof Error && "code" in error)) return false;
  return error.code === "ADDON_NOT_FOUND" || error.code === "CANNOT_LOAD";
}

export const verifier = await chooseVerifier();

function libsodiumVerifier({ default: sodium }: Libsodium): Verifier {
  return {
    name: "libsodium",
    // The library refuses weak keys itself, and throws for another length.
    verifies: (publicKey, text, signature) =>
      publicKey.length === 32 &&
      signature.length === 64 &&
      sodium.crypto_sign_verify_detached(signature, text, publicKey),
  };
}

const keyObjectsMax = 10_000;

function opensslVerifier(): Verifier {
  // Importing a key costs as much as a verification. A cached key gives nobody a right.
  const keyObjects = new Map<string, KeyObject | null>();

  function keyObjectOf(publicKey: Buffer): KeyObject | null {
    const name = publicKey.toString("base64");
    const kept = keyObjects.get(name);
    if (kept !== undefined) return kept;
    const key = isSoundPublicKey(publicKey) ? importKey(publicKey) : null;
    if (keyObjects.size >= keyObjectsMax) keyObjects.clear();
    keyObjects.set(name, key);
    return key;
  }

  return {
    name: "OpenSSL",
    verifies(publicKey, text, signature) {
      const key = keyObjectOf(publicKey);
      return key !== null && verify(null, text, key, signature);
    },
  };
}

function importKey(publicKey: Buffer): KeyObject {
  const der = Buffer.concat([spkiPrefix, publicKey]);
  return createPublicKey({ key: der, format: "der", type: "spki" });
}
