import { z } from "zod";
import { isStorable } from "@/lib/protocol/resources";
import { OAuthError } from "./oauth-error";
import { isRedirectUri } from "./redirects";

// RFC 7591, and the same members in a document at the client's id. What is not known is ignored: clients list more
// grants and methods than they use here.

export const clientBytesMax = 5 * 1024;
const redirectsMax = 10;

export interface ClientMetadata {
  name: string;
  redirectUris: string[];
}

const Name = z
  .string()
  .trim()
  .refine((name) => name !== "" && name.length <= 100 && isStorable(name));

const Metadata = z.object({
  client_name: Name.optional(),
  redirect_uris: z.array(z.string()).min(1).max(redirectsMax),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});

/** Reads what a client says of itself; `fallbackName` is for one that has no name. */
export function readClientMetadata(value: unknown, fallbackName: string): ClientMetadata {
  const parsed = Metadata.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.join(".") ?? "";
    const isRedirect = path.startsWith("redirect_uris");
    const code = isRedirect ? "invalid_redirect_uri" : "invalid_client_metadata";
    throw new OAuthError(code, wrong[isRedirect ? "redirects" : "other"](path));
  }
  const { client_name, redirect_uris, grant_types, response_types } = parsed.data;
  const unusable = redirect_uris.find((uri) => !isRedirectUri(uri));
  if (unusable !== undefined) throw new OAuthError("invalid_redirect_uri", notAnAddress);
  if (grant_types?.includes("authorization_code") === false) {
    throw new OAuthError("invalid_client_metadata", "grant_types must hold authorization_code.");
  }
  if (response_types?.includes("code") === false) {
    throw new OAuthError("invalid_client_metadata", "response_types must hold code.");
  }
  return { name: client_name ?? fallbackName, redirectUris: [...new Set(redirect_uris)] };
}

const wrong = {
  redirects: () => `redirect_uris must be a list of 1 to ${redirectsMax} addresses.`,
  other: (path: string) => `${path || "The document"} is not as RFC 7591 has it.`,
};

const notAnAddress =
  "Each of redirect_uris must be an https address, http on localhost, 127.0.0.1 or [::1], or of a scheme of your own (x://…), without a fragment.";

const Document = z.object({
  client_id: z.string(),
  client_secret: z.undefined().optional(),
  client_secret_expires_at: z.undefined().optional(),
});

/** Reads the document at a client's id: it has to say that id, byte for byte, and no secret. */
export function readClientDocument(url: string, value: unknown): ClientMetadata {
  const parsed = Document.safeParse(value);
  if (!parsed.success || parsed.data.client_id !== url) {
    throw new OAuthError(
      "invalid_client",
      "The document at client_id must name that very address as its client_id, and hold no secret.",
    );
  }
  return readClientMetadata(value, new URL(url).hostname);
}

const idLengthMax = 512;

/** Whether a client id is the address of a document: https, with a path, and readable in one way only. */
export function isDocumentId(id: string): boolean {
  if (id.length > idLengthMax || !/^https:\/\/[!-~]+$/.test(id) || !URL.canParse(id)) return false;
  const { href, pathname, hash, username, password } = new URL(id);
  // Dot segments, upper-case hosts and default ports are gone from what is parsed.
  return href === id && pathname !== "/" && hash === "" && username + password === "";
}
