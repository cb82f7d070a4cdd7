import type { RateLimitStatus } from "../peer-guard";

// The one port of ours: who may come in now. Two engines, one test suite.
export interface Counters {
  name: string;
  admit(input: AdmissionRequest): Promise<Admission>;
  /** Whether an event can come with an admission. */
  recordsEvents?: true;
  /** Returns who was admitted how often within the window. For display only. */
  usage(input: UsageQuery): Promise<Usage>;
  /** Whether the engine answers for itself, or PostgreSQL stands in for it. */
  healthy(): boolean;
}

export interface AdmissionRequest {
  /** The key that the limit is counted under. */
  caller: string;
  class: string;
  limit: number;
  /** The signer or token holder, and the revision they were authenticated at. */
  signer?: Signing;
  /** The profile that it is about. */
  profileDid?: string;
  /** Absent for callers without one (a connection token). */
  nonce?: Nonce;
  precomputed?: Precomputed;
  /** For tests. The database's clock unless given; Upstash goes by this process's in any case. */
  at?: Date;
}

export interface Signing {
  did: string;
  /** Null where they were recognised in another way. */
  revision: string | null;
}

/** Revisions of the signer and the profile at the moment of the admission; null if there is no such row. */
export interface Revisions {
  signer: string | null;
  profile: string | null;
}

/** The event of a request that was decided before its admission, and the revisions it was decided at. */
export interface Precomputed {
  revisions: Revisions;
  /** Its row. */
  event: object;
}

export interface Nonce {
  did: string;
  value: string;
  until: Date;
}

export interface Admission {
  /** False: who signed has changed since they were recognised, and nothing was done. */
  known: boolean;
  /** False: this nonce was claimed before, and nothing was counted. */
  fresh: boolean;
  admitted: boolean;
  standing: RateLimitStatus;
  revisions: Revisions;
  /** Whether the event that came along was recorded: it is as was decided before. */
  recorded: boolean;
}

export interface UsageQuery {
  /** Callers and classes, the busiest ones. */
  most: number;
  at: Date;
}

export interface Usage {
  callers: { caller: string; class: string; used: number }[];
  /** The engine that counted them. */
  countedBy: string;
  /** False: there are more callers than are told here. */
  isWhole: boolean;
}

export const windowSeconds = 3_600;
