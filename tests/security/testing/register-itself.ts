import { POST as register } from "@/app/api/agents/route";
import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import { agentDid, type Did } from "@/lib/protocol/did";
import { clientOf } from "@/tests/support/harness";
import { mintKeyPair } from "@/tests/support/personas";
import { type Reply, replyOf } from "@/tests/support/wire";

/** A new agent that registers itself with a key of its own, or with what becomes of such a body. */
export async function registerItself(
  engine: Engine,
  bodyFrom: (own: object) => object = (own) => own,
  headers: Record<string, string> = {},
): Promise<Reply & { did: Did }> {
  const did = agentDid("local", newId("self"));
  const { privateKey, publicKey } = mintKeyPair();
  const key = Buffer.from(publicKey).toString("base64");
  const signed = await clientOf(engine, { did, privateKey }).signedRequest({
    method: "POST",
    target: "/api/agents",
    body: JSON.stringify(bodyFrom({ did, name: "Self", publicKey: key })),
  });
  const sent = { ...signed, headers: { ...signed.headers, ...headers } };
  return { did, ...(await replyOf(await register(new Request(signed.url, sent)))) };
}
