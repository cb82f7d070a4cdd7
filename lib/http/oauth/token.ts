import { z } from "zod";
import { isDocumentId } from "@/lib/oauth/client-metadata";
import { isOwnResource, resourceOf } from "@/lib/oauth/metadata";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { type Pairs, readParameters } from "@/lib/oauth/parameters";
import { scopeText } from "@/lib/oauth/scopes";
import { findClient } from "@/lib/services/connect/clients";
import { revokeSecret } from "@/lib/services/connect/end-connection";
import { type IssuedSecrets, redeemCode, refreshSecrets } from "@/lib/services/connect/secrets";
import { type Ctx, contextOf } from "@/lib/services/context";
import { chargeFailure } from "../admission";
import { readBody } from "../body";
import type { ProtocolRequest } from "../protocol-request";
import type { Reply } from "../reply";
import type { RequestContext } from "../request-context";
import { issuerOf } from "./issuer";
import { oauthReply } from "./oauth-reply";

const short = z.string().max(512);
const Common = z.object({
  client_id: short,
  grant_type: short,
  resource: z.string().max(2_000).optional(),
});
const CodeGrant = z.object({
  code: short,
  redirect_uri: z.string().max(2_000),
  code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
});
const RefreshGrant = z.object({ refresh_token: short });

/** OAuth 2.1, 3.2: a code or a refresh token for a new pair of tokens. */
export async function answerToken(
  context: RequestContext,
  incoming: ProtocolRequest,
): Promise<Reply> {
  const { engine } = context;
  const pairs = await formOf(incoming);
  const { client_id: clientId, grant_type, resource } = readParameters(Common, pairs);
  const issuer = issuerOf(engine.env, incoming);
  if (!isOwnResource(resource, issuer)) {
    throw new OAuthError("invalid_target", "resource is another server's.");
  }
  const ctx = ctxOf(context);
  try {
    return answered(context, await grantBy(ctx, { grant_type, clientId, issuer, pairs }));
  } catch (error) {
    // Nobody may learn whether a client with a document is known here.
    if (!isInvalidGrant(error) || isDocumentId(clientId)) throw error;
    if ((await findClient(engine.db, clientId)) !== null) throw error;
    throw new OAuthError("invalid_client", "This client is not known here. Register again.");
  }
}

function isInvalidGrant(error: unknown): boolean {
  return error instanceof OAuthError && error.code === "invalid_grant";
}

interface Granting {
  grant_type: string;
  clientId: string;
  issuer: string;
  pairs: Pairs;
}

function grantBy(ctx: Ctx, { grant_type, clientId, issuer, pairs }: Granting) {
  if (grant_type === "authorization_code") {
    const {
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    } = readParameters(CodeGrant, pairs);
    return redeemCode(ctx, { code, clientId, redirectUri, verifier, issuer });
  }
  if (grant_type === "refresh_token") {
    const { refresh_token: refreshToken } = readParameters(RefreshGrant, pairs);
    return refreshSecrets(ctx, { refreshToken, clientId, resource: resourceOf(issuer) });
  }
  throw new OAuthError(
    "unsupported_grant_type",
    "grant_type must be authorization_code or refresh_token.",
  );
}

function answered(context: RequestContext, issued: IssuedSecrets): Reply {
  const { accessToken, refreshToken, expiresInSeconds, scopes, permissions } = issued;
  const scope = scopeText({ scopes, proposes: permissions.includes("propose") });
  return oauthReply(context, {
    body: {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: expiresInSeconds,
      refresh_token: refreshToken,
      scope,
    },
  });
}

const Revocation = z.object({ token: short, client_id: short });

/** RFC 7009: 200 whether or not there was such a token. An unknown one counts as a guess. */
export async function revoke(context: RequestContext, incoming: ProtocolRequest): Promise<Reply> {
  const { token, client_id: clientId } = readParameters(Revocation, await formOf(incoming));
  const isKnown = await revokeSecret(ctxOf(context), { secret: token, clientId });
  if (!isKnown) chargeFailure(context);
  return oauthReply(context, { body: {} });
}

function ctxOf({ engine, now, requestId }: RequestContext): Ctx {
  return { ...contextOf(engine, { kind: "nobody" }), now, requestId };
}

/** A public client may name itself by Basic with an empty secret: RFC 6749, 2.3.1. */
async function formOf({ fields, body }: ProtocolRequest): Promise<[string, string][]> {
  const type = (fields.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    throw new OAuthError("invalid_request", "Send a form: application/x-www-form-urlencoded.");
  }
  const text = Buffer.from(await readBody(body)).toString("utf8");
  const pairs = [...new URLSearchParams(text)];
  const clientId = basicClientIn(fields.get("authorization"));
  if (clientId === null || pairs.some(([name]) => name === "client_id")) return pairs;
  return [...pairs, ["client_id", clientId]];
}

function basicClientIn(authorization: string | null): string | null {
  const [, encoded] = /^basic ([a-z0-9+/=]{1,1000})$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return null;
  const [name = "", secret] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  if (secret !== "") throw new OAuthError("invalid_client", "A client has no secret here.");
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}
