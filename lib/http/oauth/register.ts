import { clientBytesMax, readClientMetadata } from "@/lib/oauth/client-metadata";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { registerClient } from "@/lib/services/connect/clients";
import { readBody } from "../body";
import { parseStrictJson } from "../json/strict-json";
import type { ProtocolRequest } from "../protocol-request";
import type { Reply } from "../reply";
import type { RequestContext } from "../request-context";
import { admitClient } from "./admit-client";
import { oauthReply } from "./oauth-reply";

/** RFC 7591, for clients without a document of their own. */
export async function register(context: RequestContext, incoming: ProtocolRequest): Promise<Reply> {
  const { engine, now } = context;
  const bytes = await readBody(incoming.body);
  if (bytes.length > clientBytesMax) {
    throw new OAuthError("invalid_client_metadata", `Send at most ${clientBytesMax} bytes.`);
  }
  const parsed = parseStrictJson(bytes);
  if ("issues" in parsed) throw new OAuthError("invalid_client_metadata", "Send a JSON object.");
  const metadata = readClientMetadata(parsed.value, "An agent without a name");
  await admitClient(context, { origin: incoming.fields.get("origin") });
  const namespace = engine.settings.values().PROF_NAMESPACE;
  const client = await registerClient({ db: engine.db, now }, { namespace, metadata });
  return oauthReply(context, {
    status: 201,
    body: {
      client_id: client.id,
      client_id_issued_at: Math.floor(now.getTime() / 1_000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
  });
}
