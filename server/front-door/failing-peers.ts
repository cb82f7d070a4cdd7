import type { ServerResponse } from "node:http";
import type { Engine } from "@/lib/engine/engine";
import { createWorkSlots, holdingSlot } from "@/lib/engine/load/work-slots";
import { network } from "@/lib/engine/peer-guard";
import { bodyBytesMax } from "@/lib/http/body";
import { peerOf } from "@/lib/http/peer";
import type { Fields } from "@/lib/http/protocol-request";
import { type Reply, refuseAt } from "@/lib/http/reply";
import { parseAuthorization } from "@/lib/protocol/authorization-header";
import { tooManyFailures } from "@/lib/protocol/errors";
import { decodePath } from "@/lib/protocol/signature";
import { arrival, fieldsOf } from "./wire";

// A refusal costs a signature check. A valid request frees its slot at once.
const refusalMsMin = 10;
// Fewer than a peer's connections, so that those refused here can give way to a neighbour's.
const waitingMaxPerPeer = 32;
const verifiedMax = 10_000;

/**
 * Answers one request at a time for a network that has used up its failures, and four in total: some may be
 * valid, so they must be read. Callers verified there do not wait until one of their requests fails. Returns
 * null once the sender is gone.
 */
export function queueFailingPeers({
  env,
  peerGuard,
  now,
}: Pick<Engine, "env" | "peerGuard" | "now">) {
  const places = createWorkSlots({ underWayMax: 4, underWayMaxPerPeer: 1, waitingMaxPerPeer });
  const verified = new Set<string>();

  function note(caller: string, { status }: Reply): void {
    verified.delete(caller);
    // Other answers are given to strangers too.
    if (status >= 300) return;
    verified.add(caller);
    const [oldest] = verified;
    if (verified.size > verifiedMax && oldest !== undefined) verified.delete(oldest);
  }

  return async (response: ServerResponse, work: () => Promise<Reply>): Promise<Reply | null> => {
    const { req: request } = response;
    const fields = fieldsOf(request.headers);
    const peer = peerOf(fields, env.TRUST_PROXY_HOPS);
    if (peer === null) return work();
    const caller = `${network(peer)} ${credentialIn(fields)}`;
    const answer = async () => {
      const reply = await work();
      if (!isPublic(request.url)) note(caller, reply);
      return reply;
    };
    if (peerGuard.standing(peer, now()).remaining > 0 || verified.has(caller)) return answer();
    // A body that comes slowly keeps no neighbour waiting.
    await arrival(request, bodyBytesMax);
    return new Promise((resolve, reject) => {
      if (response.destroyed) return resolve(null);
      let leave = () => {};
      const gone = () => {
        leave();
        resolve(null);
      };
      response.once("close", gone);
      leave = places.take(network(peer), {
        begin(release) {
          response.off("close", gone);
          holdingSlot(release, answer)
            .then((reply) => {
              if (reply.status === 429) setTimeout(release, refusalMsMin);
              else release();
              resolve(reply);
            })
            .catch((error: unknown) => {
              release();
              reject(error);
            });
        },
        refuse() {
          response.off("close", gone);
          const moment = now();
          const error = tooManyFailures({ ...peerGuard.standing(peer, moment), now: moment });
          resolve(refuseAt(request.url ?? "", fields, error));
        },
      });
    });
  };
}

const publicRoots: ReadonlySet<string | undefined> = new Set(["oauth", ".well-known"]);

/** Whether answers there are the same with any credential, so that they verify none. */
function isPublic(url = ""): boolean {
  const [path = ""] = url.split("?");
  return publicRoots.has(decodePath(path)?.[0]);
}

/** Whom the request claims to be from. */
function credentialIn(fields: Fields): string {
  const credential = parseAuthorization(fields.get("authorization") ?? "");
  if (credential === null) return "";
  return credential.scheme === "token" ? credential.token : credential.did;
}
