import { supportedVersions } from "../version";

// What operations refer to.

export const securitySchemes = {
  signature: {
    type: "http",
    scheme: "PROF-Signature",
    description:
      'PROF-Signature did="…", sig="…", ts="…", nonce="…": an Ed25519 signature over the method, authority, canonical path, canonical query, ts, nonce and SHA-256 of the body.',
  },
  token: { type: "http", scheme: "bearer", description: "A connection token: profct_…" },
};

// Spec, Common response headers; Protocol 7 and 8.
export const headers = {
  "PROF-Version": header("Protocol version used.", "string"),
  "PROF-Version-Supported": header("Protocol versions that may be asked for.", "string"),
  "X-Request-Id": header("Request identifier, also in meta.requestId.", "string"),
  "X-RateLimit-Limit": header("Requests allowed in any trailing hour.", "integer"),
  "X-RateLimit-Remaining": header("Requests left.", "integer"),
  "X-RateLimit-Reset": header("Unix time, in seconds, when more are left.", "integer"),
};
export const refusalHeaders = {
  "Retry-After": header("Seconds to wait before trying again.", "integer"),
  "WWW-Authenticate": header("Schemes that would do.", "string"),
};

export const versionParameter = {
  name: "PROF-Version",
  in: "header",
  description: "Protocol version wanted; without it, the latest.",
  schema: { type: "string", examples: supportedVersions },
};

export const preferParameter = {
  name: "Prefer",
  in: "header",
  description: "wait=N: for how many seconds, 45 at most, to wait for the owner.",
  schema: { type: "string", examples: ["wait=30"] },
};

function header(description: string, type: "string" | "integer") {
  return { description, schema: { type } };
}
