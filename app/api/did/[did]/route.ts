import { didDocument } from "@/lib/auth/did-document";
import { answer } from "@/lib/http/reply";
import { Did, parseDid } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import { decodePath } from "@/lib/protocol/signature";
import { findSigner } from "@/lib/services/agents/signers";

/** The DID document of a registered, active agent: the keys under which it signs today. */
export function GET(request: Request): Promise<Response> {
  return answer(request, async ({ engine }) => {
    const did = Did.safeParse(decodePath(new URL(request.url).pathname)?.at(-1));
    if (!did.success || parseDid(did.data)?.kind !== "agent") throw notFound("agent");
    const { standing, keys } = await findSigner(engine.pool, did.data);
    if (standing !== "active" || keys.length === 0) throw notFound("agent");
    const publicKeys = keys.map(({ publicKey }) => publicKey);
    return Response.json(didDocument(did.data, publicKeys), {
      headers: {
        "Content-Type": "application/did+ld+json",
        "Cache-Control": "no-store",
      },
    });
  });
}
