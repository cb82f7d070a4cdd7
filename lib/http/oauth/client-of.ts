import { createWorkSlots, leaveSlot } from "@/lib/engine/load/work-slots";
import { FetchRefused } from "@/lib/engine/outbound/public-request";
import { clientBytesMax, isDocumentId, readClientDocument } from "@/lib/oauth/client-metadata";
import { knownDocument } from "@/lib/oauth/known-documents";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { type Client, findClient, keepClientDocument } from "@/lib/services/connect/clients";
import { peerCaller } from "../admission";
import { parseStrictJson } from "../json/strict-json";
import type { RequestContext } from "../request-context";
import { admitClient, admitDocument } from "./admit-client";

const documentMsMax = 5_000;
const waitMsMax = 10_000;
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
  const { metadata, seconds } = await metadataAt(context, id);
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

// A stranger chooses where a document is read, and how long that takes.
const slots = createWorkSlots({ underWayMax: 16, underWayMaxPerPeer: 1, waitingMaxPerPeer: 4 });

function withFetchSlot<T>({ peer }: RequestContext, read: () => Promise<T>): Promise<T> {
  leaveSlot();
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new FetchRefused("Too many documents are being read. Try again."));
    const timer = setTimeout(() => {
      leave();
      refuse();
    }, waitMsMax);
    const leave = slots.take(peerCaller(peer), {
      begin(release) {
        clearTimeout(timer);
        read().finally(release).then(resolve, reject);
      },
      refuse() {
        clearTimeout(timer);
        refuse();
      },
    });
  });
}

/** What the document at a client's id says, and for how long to keep that. */
async function metadataAt(context: RequestContext, id: string) {
  const { engine } = context;
  try {
    const bounds = { bytesMax: clientBytesMax, msMax: documentMsMax };
    const { text, maxAgeSeconds } = await withFetchSlot(context, () =>
      engine.fetchJson(id, bounds),
    );
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
