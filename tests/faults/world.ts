import type { SignedRequest } from "@/lib/protocol/client";
import type { Did } from "@/lib/protocol/did";
import type { Intent } from "./ledger";

/** The address that clients sign for, on either gateway. */
export const baseUrl = "http://gateway.test";

export interface Signer {
  did: Did;
  privateKey: JsonWebKey;
}

/** Somebody who is signed in. */
export interface Person {
  userId: string;
  cookie: string;
}

export interface Owner extends Signer, Person {}

/** A text that only some may see: the owner, those named, and holders of the access. */
export interface Canary {
  text: string;
  openTo: string[];
  access: { key: string; caller: string } | null;
}

export interface World {
  owners: Owner[];
  /** May read and propose, by policy. */
  workers: Signer[];
  /** One an owner: get what they are granted, until it is revoked. */
  guests: Signer[];
  /** Nobody has granted them anything. */
  strangers: Signer[];
  /** May read, by policy; gets one more key after the other, each until it is revoked. */
  keyed: Signer;
  admin: Person;
  /** Each has a limit of its own, lower than what it asks for. */
  hasty: Signer[];
  canaries: Canary[];
  /** What no log line may hold. */
  secrets: string[];
}

export const hastyLimit = 20;

export const categories = {
  open: "prof:interests",
  granted: "prof:health",
  byToken: "prof:financial",
  closed: "prof:relationships",
} as const;

export const canaryPattern = /canary-[0-9a-f]{16}/g;
/** How every text begins that a client proposes. */
export const contentPattern = /said-[0-9a-f]{16}/;

/** What clients tell each other while they run. */
export interface Board {
  /** Proposals that wait, by the profile's DID. */
  pending: Map<string, Waiting[]>;
  /** Decided ones that their owner may take back. */
  decided: { profile: string; proposalId: string }[];
  /** Requests as they were sent, to be sent again. */
  sent: Sent[];
}

export interface Waiting {
  proposalId: string;
  content: string;
}

export interface Sent {
  signed: SignedRequest;
  meant: Pick<Intent, "verb" | "caller" | "profile" | "nonce" | "content" | "category">;
}

export function accessKey(agent: string, profile: string): string {
  return `${agent} on ${profile}`;
}
