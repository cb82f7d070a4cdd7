import { hash } from "node:crypto";
import type { Nonce } from "@/lib/engine/counters/counters";
import type { SignatureCredential } from "@/lib/protocol/authorization-header";
import { parseDid } from "@/lib/protocol/did";
import { forbidden, timestampInvalid, unauthorized } from "@/lib/protocol/errors";
import {
  canonicalPath,
  canonicalQuery,
  canonicalText,
  parseTimestamp,
} from "@/lib/protocol/signature";
import { activeKeysMax } from "@/lib/services/agents/keys";
import { findSigner } from "@/lib/services/agents/signers";
import type { Authenticated, Presented } from "./authenticate";
import { verifier } from "./keys/verification";

// Stands in for keys that a DID does not have. What it verifies is refused: its private half is published.
const nobodysKey = Buffer.from(
  "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  "hex",
);
const nonceKeptMs = 60 * 60_000;

export async function checkSignature(
  presented: Presented,
  credential: SignatureCredential,
): Promise<Authenticated> {
  const until = checkTimestamp(presented, credential);
  const { did, nonce } = credential;
  const signer = await findSigner(presented.engine.pool, did);
  const keys = signer.standing === "unknown" ? [] : signer.keys;
  const text = textOf(presented, credential);
  const key = keys.find((one) => verifier.verifies(one.publicKey, text, credential.signature));
  if (key === undefined) {
    // A refusal takes as many verifications for every DID: the time must not tell how many keys it has.
    for (let nth = keys.length; nth < activeKeysMax; nth++) {
      verifier.verifies(nobodysKey, text, credential.signature);
    }
    throw unauthorized();
  }
  if (signer.standing === "suspended") throw forbidden("This caller is suspended.");

  const { publicKey, isByAdmin } = key;
  const kind = parseDid(did)?.kind === "user" ? "user" : "agent";
  return {
    caller: { kind, did, publicKey, ...(isByAdmin ? { keyByAdmin: true } : {}) },
    account: did,
    limits: signer.limits,
    nonce: { did, value: nonce, until },
  };
}

/** That it is near the gateway's clock; how long the nonce beside it must be remembered. */
export function checkTimestamp(
  { engine, now }: Presented,
  { ts }: SignatureCredential,
): Nonce["until"] {
  const skewMs = engine.env.SIGNATURE_SKEW_SECONDS * 1_000;
  const signedAt = parseTimestamp(ts);
  if (signedAt === null || Math.abs(signedAt - now.getTime()) > skewMs) throw timestampInvalid(now);
  return new Date(signedAt + skewMs + nonceKeptMs);
}

export function isSignedBy(
  publicKey: Buffer,
  presented: Presented,
  credential: SignatureCredential,
): boolean {
  return verifier.verifies(publicKey, textOf(presented, credential), credential.signature);
}

function textOf(presented: Presented, { ts, nonce }: SignatureCredential): Buffer {
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
