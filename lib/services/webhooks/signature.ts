import { createHmac } from "node:crypto";

// Standard Webhooks 1.0: HMAC-SHA256 over id, time and body, with every secret that is valid.

export interface Secrets {
  secret: Uint8Array;
  formerSecret: Uint8Array | null;
  /** Until then the former secret signs as well. */
  formerUntil: Date | null;
}

/** Returns a secret as its receiver writes it into a configuration. */
export function secretText(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString("base64")}`;
}

interface Signed {
  id: string;
  body: string;
  now: Date;
  secrets: Secrets;
}

/** Returns the headers of one attempt: the id stays the same at every attempt, the time does not. */
export function signatureHeaders({ id, body, now, secrets }: Signed) {
  const { secret, formerSecret, formerUntil } = secrets;
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const isFormerValid = formerSecret !== null && formerUntil !== null && formerUntil > now;
  const valid = isFormerValid ? [secret, formerSecret] : [secret];
  const signatures = valid.map((key) => {
    const mac = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`);
    return `v1,${mac.digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
