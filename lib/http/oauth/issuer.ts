import type { Env } from "@/lib/engine/env";
import { authorityOf } from "@/lib/protocol/signature";
import { authorityIn, type ProtocolRequest } from "../protocol-request";

/** The address of this gateway that the client uses: one of our own, each an issuer of its own. RFC 8414, 2. */
export function issuerOf(
  { PUBLIC_URL }: Pick<Env, "PUBLIC_URL">,
  { host }: Pick<ProtocolRequest, "host">,
): string {
  const authority = authorityIn(host);
  const own = PUBLIC_URL.find((url) => authorityOf(url) === authority) ?? PUBLIC_URL[0];
  // Without PUBLIC_URL only this machine gets here.
  return own === undefined ? `http://${authority}` : new URL(own).origin;
}
