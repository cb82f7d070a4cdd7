// Set on every response of every kind. Pages replace the policy of `apiPolicy` by their own.

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

interface Sent {
  https: boolean;
  /** With a policy on its opener the browser would cut a popup from it for good, and a client not hear the answer. */
  inPopup?: boolean;
}

export function securityHeaders({ https, inPopup = false }: Sent): Record<string, string> {
  return {
    "Content-Security-Policy": apiPolicy,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    ...(inPopup ? {} : { "Cross-Origin-Opener-Policy": "same-origin" }),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ...(https ? { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } : {}),
  };
}

/** Whether a page stands on the way from a client's popup to the owner's answer. */
export function mayBeInPopup(path: string): boolean {
  return /^\/(dashboard\/connect\/|sign-in|sign-up|providers|api\/auth\/)/.test(path);
}

// The development build evaluates source text and adds styles; nothing that is served for real may.
export function pagePolicy({
  nonce,
  development,
  formTargets,
}: {
  nonce: string;
  development: boolean;
  /** Origins that a form's answer may redirect to; browsers apply the policy to redirects too. */
  formTargets: readonly string[];
}): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    `style-src-elem 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    ["form-action 'self'", ...formTargets].join(" "),
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Returns the nonce that inline scripts need under this policy. */
export function scriptNonce(policy: string | null): string | undefined {
  return /'nonce-([^']+)'/.exec(policy ?? "")?.[1];
}

/** `Clear-Site-Data` after a sign-out: nothing of the person stays in a browser that others use. */
export const clearedAtSignOut = '"cache", "storage"';
