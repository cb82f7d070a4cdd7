import { sweepNonces, sweepRateHits } from "@/lib/engine/sweep";
import { sealEvents } from "@/lib/services/audit/seal-events";
import { expireProposals } from "@/lib/services/proposals/expire";
import type { Job } from "./jobs";

export const gatewayJobs: readonly Job[] = [
  {
    name: "expire-proposals",
    everySeconds: 10,
    run: ({ pool, now }) => expireProposals(pool, now()),
  },
  { name: "seal-events", everySeconds: 2, run: ({ pool, now }) => sealEvents(pool, now()) },
  { name: "sweep-nonces", everySeconds: 5, run: ({ pool, now }) => sweepNonces(pool, now()) },
  { name: "sweep-rate-hits", everySeconds: 5, run: ({ pool, now }) => sweepRateHits(pool, now()) },
];
