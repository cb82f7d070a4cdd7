import type { Env } from "@/lib/engine/env";
import { forbidden, type GatewayError } from "@/lib/protocol/errors";
import type { Fields } from "../protocol-request";

type Here = Pick<Env, "PUBLIC_URL">;

export function refuseOtherSites(request: Request, here: Here): void {
  if (isFromOtherSite(request, here)) throw forbidden(otherSite);
}

const otherSite = "Another site made this request, so nothing was done.";

/** Refuses a form, and says where its page would have been this gateway's own. */
export function otherSiteRefusal({ PUBLIC_URL: [address] }: Here): GatewayError {
  const hint = address === undefined ? "" : ` If it was this one, open it at ${address}.`;
  return forbidden(`${otherSite}${hint}`);
}

/**
 * Browsers attach the session cookie to every request, so requests that another site caused are refused.
 * Scripts outside browsers do not say.
 */
export function isFromOtherSite(
  { method, headers }: { method: string; headers: Fields },
  here: Here,
): boolean {
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const isReading = method === "GET" || method === "HEAD";
  // "none": the user typed the address.
  const isOwnSite = site === null || site === "same-origin" || (site === "none" && isReading);
  return !isOwnSite || (origin !== null && !isOwnOrigin(origin, headers.get("host"), here));
}

// Behind a proxy that ends TLS, only PUBLIC_URL knows the scheme; without it, only the host is compared.
function isOwnOrigin(origin: string, host: string | null, { PUBLIC_URL }: Here): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (PUBLIC_URL.length > 0) return PUBLIC_URL.some((own) => new URL(own).origin === url.origin);
  return /^https?:$/.test(url.protocol) && host !== null && url.host === host.toLowerCase();
}
