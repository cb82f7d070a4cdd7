import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import { agentDid } from "@/lib/protocol/did";
import { beginAuthorization } from "@/lib/services/connect/authorizations";
import { gatewayUrl } from "../harness";
import { challenge, redirectUri } from "./clients";

interface Given {
  scopes?: string[];
  /** What the client calls itself. */
  name?: string;
}

/** A client's question that waits for an owner, and what its page is called. */
export async function giveQuestion(
  engine: Engine,
  { scopes = ["prof:interests"], name = "Iris" }: Given = {},
): Promise<{ question: string; clientId: string }> {
  const now = engine.now();
  const id = newId("oauth").replace("_", "-");
  const client = { id, agentDid: agentDid("local", id), name, redirectUris: [redirectUri] };
  await engine.db.client.create({ data: { ...client, createdAt: now, lastUsedAt: now } });
  const wanted = {
    clientId: id,
    redirectUri,
    issuer: gatewayUrl,
    scopes,
    proposes: true,
    challenge,
  };
  return { question: await beginAuthorization({ db: engine.db, now }, wanted), clientId: id };
}
