import { hash } from "node:crypto";
import type { Nonce } from "@/lib/engine/counters/counters";
import type { Engine } from "@/lib/engine/engine";
import type { SignatureCredential } from "@/lib/protocol/authorization-header";
import { type Did, parseDid } from "@/lib/protocol/did";
import { forbidden, timestampInvalid, unauthorized } from "@/lib/protocol/errors";
import {
  canonicalPath,
  canonicalQuery,
  canonicalText,
  parseTimestamp,
} from "@/lib/protocol/signature";
import { activeKeysMax } from "@/lib/services/agents/keys";
import { findSigner, type Signer, type SignerKey } from "@/lib/services/agents/signers";
import type { Authenticated, AuthRequest } from "./authenticate";
import { verifier } from "./keys/verification";

// Stands in for keys that a DID does not have. Its private half is published, so what it verifies is refused.
const nobodysKey = Buffer.from(
  "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  "hex",
);
const nonceKeptMs = 60 * 60_000;

export async function checkSignature(
  presented: AuthRequest,
  credential: SignatureCredential,
): Promise<Authenticated> {
  const until = checkTimestamp(presented, credential);
  const { did } = credential;
  const text = textOf(presented, credential);
  const tried = new Map<string, boolean>();
  const signedBy = ({ publicKey }: SignerKey) => {
    const name = publicKey.toString("hex");
    const isIts = tried.get(name) ?? verifier.verifies(publicKey, text, credential.signature);
    tried.set(name, isIts);
    return isIts;
  };
  const { cache, pool } = presented.engine;
  const known = cache.get<Signer>(keptAs(did));
  const knownKey = known?.keys.find(signedBy);
  // A cached signer may let a request in, but never refuses one. The admission checks that it is current.
  if (known !== undefined && knownKey !== undefined) {
    return authenticated({ credential, until, signer: known, key: knownKey });
  }
  const signer = await findSigner(pool, did);
  const keys = signer.standing === "unknown" ? [] : signer.keys;
  const key = keys.find(signedBy);
  if (key === undefined) {
    // Every refusal takes the same number of verifications: the time must not reveal how many keys the DID has,
    // or whether they are cached.
    for (let nth = tried.size; nth < activeKeysMax; nth++) {
      verifier.verifies(nobodysKey, text, credential.signature);
    }
    throw unauthorized();
  }
  if (signer.standing === "suspended") throw forbidden("This caller is suspended.");
  if (isAgents(did)) cache.set(keptAs(did), signer, signerBytes);
  return authenticated({ credential, until, signer, key });
}

/** Removes a changed signer from the cache. */
export function forgetSigner({ cache }: Engine, did: string): void {
  cache.forget(keptAs(did));
}

// A profile's own key is read each time: it mostly signs changes, and each change raises the profile's
// revision.
function isAgents(did: Did): boolean {
  return parseDid(did)?.kind !== "user";
}

const keptAs = (did: string) => `signer ${did}`;
// Five keys and an agent's own limits.
const signerBytes = 2_000;

interface Recognised {
  credential: SignatureCredential;
  until: Date;
  signer: Signer;
  key: SignerKey;
}

function authenticated({ credential, until, signer, key }: Recognised): Authenticated {
  const { did, nonce } = credential;
  const { publicKey, isByAdmin } = key;
  const kind = isAgents(did) ? "agent" : "user";
  return {
    caller: { kind, did, publicKey, ...(isByAdmin ? { keyByAdmin: true } : {}) },
    account: did,
    limits: signer.limits,
    nonce: { did, value: nonce, until },
    signer: { did, revision: isAgents(did) ? signer.revision : null },
  };
}

/** That it is near the gateway's clock; how long the nonce beside it must be remembered. */
export function checkTimestamp(
  { engine, now }: AuthRequest,
  { ts }: SignatureCredential,
): Nonce["until"] {
  const skewMs = engine.env.SIGNATURE_SKEW_SECONDS * 1_000;
  const signedAt = parseTimestamp(ts);
  if (signedAt === null || Math.abs(signedAt - now.getTime()) > skewMs) throw timestampInvalid(now);
  return new Date(signedAt + skewMs + nonceKeptMs);
}

export function isSignedBy(
  publicKey: Buffer,
  presented: AuthRequest,
  credential: SignatureCredential,
): boolean {
  return verifier.verifies(publicKey, textOf(presented, credential), credential.signature);
}

function textOf(presented: AuthRequest, { ts, nonce }: SignatureCredential): Buffer {
  const { method, segments, query, authority, body } = presented;
  return Buffer.from(
    canonicalText({
      method,
      authority,
      path: canonicalPath(segments),
      query: canonicalQuery(query),
      ts,
      nonce,
      bodySha256: hash("sha256", body, "hex"),
    }),
  );
}
