import type { Engine } from "@/lib/engine/engine";
import { sweepNonces, sweepWindows } from "@/lib/engine/sweep";
import { reconcileHeld } from "./access/quarantine/held";
import { sweepLinks } from "./accounts/links";
import { sweepSessions } from "./accounts/session-life";
import { expireRegistrations } from "./agents/expire-registrations";
import { dropEvents } from "./audit/drop-events";
import { sealEvents, sealedAtOnce } from "./audit/seal-events";
import { readClaims } from "./claims/read-claims";
import { sweepAuthorizations } from "./connect/authorizations";
import { sweepClients } from "./connect/clients";
import { endUnusedConnections, sweepSecrets } from "./connect/end-connection";
import { copyGone, copyJob } from "./gone/copy-gone";
import { rowsAtOnce } from "./gone/gone-file";
import { goneTargets } from "./gone/gone-targets";
import { digestsAtOnce, enqueueDigests, sweepDeliveries, sweptAtOnce } from "./mail/digest";
import { sendMails } from "./mail/send-mails";
import { purgeMemories } from "./memories/purge";
import { expireProposals } from "./proposals/expire";
import { approveByRules, decidedAtOnce } from "./proposals/rules/approve-by-rules";
import { completeDueTransfers } from "./transfers/complete-due";
import { givenUpAtOnce, giveUpPaused } from "./webhooks/attempts";
import { sendWebhooks } from "./webhooks/send";

export interface Job {
  name: string;
  everySeconds: number;
  /**
   * Does one bounded batch and says how many rows it touched or went through, or how many tables it
   * emptied: 0 where nothing is left to do.
   */
  run: (engine: Engine) => Promise<number>;
  /** A smaller batch ends the run. */
  batchMax?: number;
}

export interface DeliverySink {
  /** Works off what is due, and returns how many deliveries that were. Once aborted, it ends with what is under way. */
  run: (engine: Engine, signal: AbortSignal) => Promise<number>;
  /** May be called while an earlier call waits for an answer. */
  overlaps?: true;
}

/** Where messages go; server/deliveries runs each of them in a loop. */
export const deliverySinks: readonly DeliverySink[] = [
  { run: (engine) => sendMails(engine, "mail_now") },
  { run: (engine) => sendMails(engine, "mail") },
  { run: (engine, signal) => sendWebhooks(engine, { signal }), overlaps: true },
];

/** The gateway's own jobs; server/jobs runs them. */
export const gatewayJobs: readonly Job[] = [
  {
    name: "expire-proposals",
    everySeconds: 10,
    run: ({ db, now }) => expireProposals(db, now()),
  },
  { name: "read-claims", everySeconds: 2, run: ({ db }) => readClaims(db) },
  {
    name: "approve-by-rules",
    everySeconds: 2,
    run: approveByRules,
    batchMax: decidedAtOnce,
  },
  { name: "reconcile-held", everySeconds: 5, run: reconcileHeld },
  { name: "expire-registrations", everySeconds: 60, run: expireRegistrations },
  { name: "complete-transfers", everySeconds: 60, run: completeDueTransfers },
  {
    name: "purge-memories",
    everySeconds: 60,
    run: ({ db, now }) => purgeMemories(db, now()),
  },
  {
    name: "seal-events",
    everySeconds: 2,
    run: ({ db, now }) => sealEvents(db, now()),
    batchMax: sealedAtOnce,
  },
  { name: "drop-events", everySeconds: 2, run: dropEvents },
  {
    name: copyJob,
    everySeconds: 1,
    run: ({ db, env }) => copyGone(db, goneTargets(env, db)),
    batchMax: rowsAtOnce,
  },
  {
    name: "sweep-sessions",
    everySeconds: 600,
    run: ({ db, now }) => sweepSessions(db, now()),
  },
  {
    name: "enqueue-digests",
    everySeconds: 30,
    run: ({ db, now }) => enqueueDigests(db, now()),
    batchMax: digestsAtOnce,
  },
  {
    name: "sweep-deliveries",
    everySeconds: 600,
    run: ({ db, now }) => sweepDeliveries(db, now()),
    batchMax: sweptAtOnce,
  },
  {
    name: "give-up-paused",
    everySeconds: 600,
    run: ({ db, now }) => giveUpPaused(db, now()),
    batchMax: givenUpAtOnce,
  },
  { name: "sweep-links", everySeconds: 60, run: ({ db, now }) => sweepLinks(db, now()) },
  { name: "sweep-clients", everySeconds: 600, run: ({ db, now }) => sweepClients(db, now()) },
  {
    name: "sweep-authorizations",
    everySeconds: 60,
    run: ({ db, now }) => sweepAuthorizations(db, now()),
  },
  { name: "sweep-secrets", everySeconds: 60, run: ({ db, now }) => sweepSecrets(db, now()) },
  { name: "end-unused-connections", everySeconds: 60, run: endUnusedConnections },
  { name: "sweep-nonces", everySeconds: 10, run: ({ db, now }) => sweepNonces(db, now()) },
  { name: "sweep-windows", everySeconds: 60, run: ({ db, now }) => sweepWindows(db, now()) },
];
