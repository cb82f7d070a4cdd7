import type { Engine } from "@/lib/engine/engine";
import { createKeyedLimiter } from "@/lib/engine/load/keyed-limiter";
import { leaveSlot } from "@/lib/engine/load/work-slots";
import { FetchRefused } from "@/lib/engine/outbound/public-fetch";
import { clientBytesMax, isDocumentId, readClientDocument } from "@/lib/oauth/client-metadata";
import { knownDocument } from "@/lib/oauth/known-documents";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { type Client, findClient, keepClientDocument } from "@/lib/services/connect/clients";
import { peerCaller } from "../admission";
import { parseStrictJson } from "../json/strict-json";
import type { RequestContext } from "../request-context";
import { admitClient, admitDocument } from "./admit-client";

const documentMsMax = 5_000;
/** However short its own headers say: nobody makes us fetch at each request. */
const keptSecondsMin = 300;

/** Finds who asks: a client that registered, or one whose id is the address of its document. */
export async function clientOf(context: RequestContext, id: string): Promise<Client> {
  const { engine, now } = context;
  const known = await findClient(engine.db, id);
  const isKept = known !== null && (known.documentUntil === null || known.documentUntil > now);
  if (isKept) return known;
  if (!isDocumentId(id) || engine.env.CLIENT_DOCUMENTS === "off") {
    throw new OAuthError("invalid_client", unknownClient);
  }
  await (known === null ? admitClient(context) : admitDocument(context));
  const { metadata, seconds } = await inTurn(context, () => metadataAt(engine, id));
  return keepClientDocument(
    { db: engine.db, now },
    {
      namespace: engine.settings.values().PROF_NAMESPACE,
      ...{ id, metadata, until: new Date(now.getTime() + seconds * 1_000) },
    },
  );
}

const unknownClient =
  "This client is not known here, or was unused for a week. Let the program register again.";

// Each may take its time, and is read where a stranger says: one for a network, and a few in all.
const ofPeer = createKeyedLimiter({ max: 1, waitingMax: 4 });
const ofAll = createKeyedLimiter({ max: 4, waitingMax: 20 });

function inTurn<T>({ peer }: RequestContext, read: () => Promise<T>): Promise<T> {
  leaveSlot();
  return ofPeer.run(peerCaller(peer), () => ofAll.run("all", read));
}

/** What the document at a client's id says, and for how long to keep that. */
async function metadataAt(engine: Engine, id: string) {
  try {
    const { text, maxAgeSeconds } = await engine.fetchJson(id, {
      bytesMax: clientBytesMax,
      msMax: documentMsMax,
    });
    const parsed = parseStrictJson(Buffer.from(text));
    if ("issues" in parsed) throw new OAuthError("invalid_client", "The document is no JSON.");
    const seconds = Math.max(maxAgeSeconds, keptSecondsMin);
    return { metadata: readClientDocument(id, parsed.value), seconds };
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    engine.log.info("a client's document was not read", { error });
    const metadata = knownDocument(id);
    if (metadata !== null) return { metadata, seconds: keptSecondsMin };
    throw new OAuthError(
      "invalid_client",
      `The document at client_id was not read. ${error.message}`,
    );
  }
}
