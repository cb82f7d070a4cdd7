import { z } from "zod";
import { isOwnResource } from "@/lib/oauth/metadata";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { readParameters } from "@/lib/oauth/parameters";
import { isLoopbackRedirect, isSameRedirect, redirectTo } from "@/lib/oauth/redirects";
import { readScopes } from "@/lib/oauth/scopes";
import { beginAuthorization } from "@/lib/services/connect/authorizations";
import { chargingFailures } from "../admission";
import type { ProtocolRequest } from "../protocol-request";
import { loggedError, type Reply } from "../reply";
import type { RequestContext } from "../request-context";
import { admitQuestion } from "./admit-client";
import { clientOf } from "./client-of";
import { issuerOf } from "./issuer";
import { isGuess, oauthReply } from "./oauth-reply";
import { refusalPage } from "./refusal-page";

const ClientParameters = z.object({
  client_id: z.string().max(512),
  redirect_uri: z.string().max(2_000),
});

const QuestionParameters = z.object({
  response_type: z.string(),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal("S256"),
  state: z.string().max(2_000).optional(),
  scope: z.string().max(8_000).optional(),
  resource: z.string().max(2_000).optional(),
  prompt: z.string().max(100).optional(),
});

/**
 * A client sends its owner here. What is wrong is said on a page of ours until client and address are known, and to
 * the client from then on; else anybody could send browsers anywhere through us. OAuth 2.1, 4.1.
 */
export async function authorize(
  context: RequestContext,
  incoming: ProtocolRequest,
): Promise<Reply> {
  try {
    refuseEmbedded(incoming);
    return await chargingFailures(context, isGuess, () => begin(context, incoming));
  } catch (thrown) {
    if (thrown instanceof OAuthError) {
      return refusalPage(context, { status: 400, why: thrown.message });
    }
    const { http: status, message: why, headers } = loggedError(context, thrown);
    return refusalPage(context, { status, why, headers });
  }
}

// Only a page of its own may start a connection: no picture, frame or prefetch of another site's page.
function refuseEmbedded({ fields }: ProtocolRequest): void {
  const shownAs = fields.get("sec-fetch-dest") ?? "document";
  if (shownAs === "document" && fields.get("sec-purpose") === null) return;
  throw new OAuthError("invalid_request", "Open this address as a page of its own.");
}

async function begin(context: RequestContext, incoming: ProtocolRequest): Promise<Reply> {
  const { engine } = context;
  const issuer = issuerOf(engine.env, incoming);
  const pairs = incoming.query ?? [];
  const named = pairs.filter(([name]) => name === "client_id" || name === "redirect_uri");
  const who = readParameters(ClientParameters, named);
  const client = await clientOf(context, who.client_id);
  const redirectUri = who.redirect_uri;
  if (!client.redirectUris.some((own) => isSameRedirect(own, redirectUri))) {
    throw new OAuthError(
      "invalid_request",
      "It wants to be answered at an address that is not one of its own.",
    );
  }
  const state = pairs.find(([name]) => name === "state")?.[1] ?? null;
  try {
    const question = readQuestion(pairs, issuer);
    await admitQuestion(context);
    const name = await beginAuthorization(
      { db: engine.db, now: context.now },
      { clientId: client.id, redirectUri, issuer, ...question },
    );
    return seeOther(context, `${issuer}/dashboard/connect/${name}`);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const answer = { error: error.code, error_description: error.message };
    const onward = redirectTo({ redirectUri, state, issuer }, answer);
    // Anybody may register an address: a redirect there would make our links lead anywhere.
    if (isLoopbackRedirect(redirectUri)) return seeOther(context, onward);
    return refusalPage(context, { status: 400, why: error.message, onward });
  }
}

function readQuestion(pairs: ProtocolRequest["query"] & object, issuer: string) {
  const question = readParameters(QuestionParameters, pairs);
  const { response_type, code_challenge: challenge, state, scope, resource, prompt } = question;
  if (response_type !== "code") {
    throw new OAuthError("unsupported_response_type", "response_type must be code.");
  }
  if (!isOwnResource(resource, issuer)) {
    throw new OAuthError("invalid_target", "resource is another server's.");
  }
  if (prompt?.split(" ").includes("none")) {
    throw new OAuthError("interaction_required", "The owner has to look at what is asked for.");
  }
  return { ...readScopes(scope), challenge, state };
}

function seeOther(context: RequestContext, location: string): Reply {
  return oauthReply(context, { status: 303, headers: { Location: location } });
}
