import { sweepNonces, sweepRateHits } from "@/lib/engine/sweep";
import { sweepLinks } from "@/lib/services/accounts/links";
import { expireRegistrations } from "@/lib/services/agents/expire-registrations";
import { dropEvents } from "@/lib/services/audit/drop-events";
import { sealEvents } from "@/lib/services/audit/seal-events";
import { purgeMemories } from "@/lib/services/memories/purge";
import { expireProposals } from "@/lib/services/proposals/expire";
import type { Job } from "./jobs";

export const gatewayJobs: readonly Job[] = [
  {
    name: "expire-proposals",
    everySeconds: 10,
    run: ({ pool, now }) => expireProposals(pool, now()),
  },
  { name: "expire-registrations", everySeconds: 60, run: expireRegistrations },
  {
    name: "purge-memories",
    everySeconds: 60,
    run: ({ pool, now }) => purgeMemories(pool, now()),
  },
  { name: "seal-events", everySeconds: 2, run: ({ pool, now }) => sealEvents(pool, now()) },
  { name: "drop-events", everySeconds: 600, run: dropEvents },
  { name: "sweep-links", everySeconds: 60, run: ({ pool, now }) => sweepLinks(pool, now()) },
  { name: "sweep-nonces", everySeconds: 5, run: ({ pool, now }) => sweepNonces(pool, now()) },
  { name: "sweep-rate-hits", everySeconds: 5, run: ({ pool, now }) => sweepRateHits(pool, now()) },
];
