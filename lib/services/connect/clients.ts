import { type Db, inBackgroundTransaction } from "@/lib/engine/db";
import type { ClientMetadata } from "@/lib/oauth/client-metadata";
import type { Did } from "@/lib/protocol/did";
import type { Ctx } from "../context";
import { clientDid, newClientId } from "./client-did";

/** A program that asks owners to connect it. */
export interface Client extends ClientMetadata {
  id: string;
  agentDid: Did;
  /** When its document has to be fetched again; null for one that registered. */
  documentUntil: Date | null;
}

const columns = {
  id: true,
  agentDid: true,
  name: true,
  redirectUris: true,
  documentUntil: true,
} as const;

export async function findClient(db: Db, id: string): Promise<Client | null> {
  return db.client.findUnique({ where: { id }, select: columns });
}

interface NewClient {
  namespace: string;
  metadata: ClientMetadata;
}

/** RFC 7591. Anybody may: until an owner connects it, it is a row that the sweep removes. */
export function registerClient(
  { db, now }: Pick<Ctx, "db" | "now">,
  { namespace, metadata }: NewClient,
): Promise<Client> {
  const id = newClientId();
  const data = { id, agentDid: clientDid(namespace, id), ...metadata };
  return db.client.create({ data: { ...data, createdAt: now, lastUsedAt: now }, select: columns });
}

/** Keeps what the document at a client's id says. The id is one for all installations, and so is its agent. */
export function keepClientDocument(
  { db, now }: Pick<Ctx, "db" | "now">,
  { namespace, metadata, id, until }: NewClient & { id: string; until: Date },
): Promise<Client> {
  const known = { ...metadata, documentUntil: until, lastUsedAt: now };
  const did = clientDid(namespace, id);
  return db.client.upsert({
    where: { id },
    update: known,
    create: { id, agentDid: did, createdAt: now, ...known },
    select: columns,
  });
}

const unusedDays = 7;
const sweptMax = 500;

/** Removes clients that no owner has connected. */
export function sweepClients(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - unusedDays * 24 * 60 * 60_000);
  return inBackgroundTransaction(
    db,
    (tx) => tx.$executeRaw`DELETE FROM "Client" WHERE id = ANY(ARRAY(
      SELECT c.id FROM "Client" c WHERE c."lastUsedAt" <= ${before}
        AND NOT EXISTS (SELECT FROM "ConnectionToken" t WHERE t."clientId" = c.id)
      ORDER BY c."lastUsedAt" LIMIT ${sweptMax} FOR UPDATE SKIP LOCKED))`,
  );
}
