import { type Db, inTransaction } from "@/lib/engine/db";
import type { Job, Nonce } from "@/lib/engine/prisma-client/client";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { backupJob } from "./record-backup";

// What a restored database must not do again, whatever was erased or revoked since: accept a nonce or a link twice, go
// on with a session, answer from a cache, send a message twice, or give out an id twice.

/** What the live database knows that its backup cannot. */
export interface LiveState {
  nonces: Nonce[];
  sequences: { name: string; value: bigint }[];
  backup: Job | null;
}

/** Ids that were given out after the backup was made, where the live database could not be read. */
const idsAhead = 1_000n;
const noncesAtOnce = 1_000;

export async function readLiveState(live: Db): Promise<LiveState> {
  const [nonces, sequences, backup] = await Promise.all([
    live.nonce.findMany(),
    readSequences(live),
    live.job.findUnique({ where: { name: backupJob } }),
  ]);
  return { nonces, sequences, backup };
}

export async function settleRestored(db: Db, live: LiveState | null): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.session.deleteMany();
    await tx.oneTimeLink.deleteMany();
    await tx.authorization.deleteMany();
    // One of them may have been refused since, and would take effect by itself.
    await tx.transfer.deleteMany();
    // Above every revision that was given out.
    const ahead = Prisma.sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
    await tx.$executeRaw`UPDATE "Profile" SET revision = revision + ${ahead}`;
    await tx.$executeRaw`UPDATE "Agent" SET revision = revision + ${ahead}`;
    await tx.$executeRaw`UPDATE "Delivery" SET state = 'given_up', answer = 'restored', lease = NULL,
      "endedAt" = clock_timestamp() WHERE state = 'waiting'`;
    await tx.webhook.updateMany({ data: { dueAt: null, lease: null } });
    // Walks begin again; what they remembered is of another database.
    await tx.job.deleteMany();
    if (live?.backup) {
      const { progress, ...job } = live.backup;
      await tx.job.create({ data: { ...job, progress: progress ?? Prisma.DbNull } });
    }
    const nonces = live?.nonces ?? [];
    for (let at = 0; at < nonces.length; at += noncesAtOnce) {
      const data = nonces.slice(at, at + noncesAtOnce);
      await tx.nonce.createMany({ data, skipDuplicates: true });
    }
  });
  for (const { name, value } of await readSequences(db)) {
    const given = live?.sequences.find((one) => one.name === name)?.value ?? 0n;
    const next = (given > value ? given : value) + idsAhead;
    await db.$queryRaw`SELECT setval(quote_ident(${name})::regclass, ${next}::bigint)::text`;
  }
}

function readSequences(db: Db): Promise<LiveState["sequences"]> {
  return db.$queryRaw`SELECT sequencename::text AS name, coalesce(last_value, 0) AS value
    FROM pg_sequences WHERE schemaname = 'public' ORDER BY sequencename`;
}
