import type { RateLimitStatus } from "../peer-guard";

// Admission. Two engines share one test suite.
export interface Counters {
  name: string;
  admit(input: AdmissionRequest): Promise<Admission>;
  /** Set if an event can be recorded with the admission. */
  recordsEvents?: true;
  /** Returns who was admitted how often within the window. For display only. */
  usage(input: UsageQuery): Promise<Usage>;
  /** False while PostgreSQL stands in for the engine. */
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
  /** For tests. Otherwise the database's clock; Upstash uses the clock of this process. */
  at?: Date;
}

export interface Signing {
  did: string;
  /** Null if they were identified by other means. */
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
  /** False if the signer has changed since; nothing was done. */
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
  /** False if there are more callers than these. */
  isWhole: boolean;
}

export const windowSeconds = 3_600;
