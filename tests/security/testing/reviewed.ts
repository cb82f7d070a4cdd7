import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";

/** What is left of a proposal that was rejected. */
export async function giveRejection(
  engine: Engine,
  rejected: { profileId: number; agentDid: string },
): Promise<string> {
  const id = newId("rej");
  const fingerprint = new Uint8Array(32);
  const data = { ...rejected, id, category: "prof:x", fingerprint, rejectedAt: engine.now() };
  await engine.db.rejection.create({ data, select: { id: true } });
  return id;
}

/** An import that brought nothing. */
export async function giveBatch(engine: Engine, profileId: number): Promise<string> {
  const id = newId("imp");
  const agentDid = `did:prof:agent:local:${id}`;
  const came = { name: "Import", format: "markdown", items: 0, known: 0, leftOut: {} };
  const data = { id, profileId, agentDid, ...came, createdAt: engine.now() };
  await engine.db.importBatch.create({ data, select: { id: true } });
  return id;
}
