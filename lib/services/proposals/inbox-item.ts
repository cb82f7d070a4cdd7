import type { ProposalStatus } from "@/lib/protocol/resources";
import type { Category } from "@/lib/protocol/scope";
import type { NamedAgent } from "../access/named-agent";
import type { ClaimFlag } from "../claims/read-flags";

/** A proposal as its owner sees it. */
export interface InboxItem {
  id: string;
  agent: NamedAgent;
  content: string;
  category: Category;
  confidence: number;
  context: string | null;
  status: ProposalStatus;
  proposedAt: Date;
  expiresAt: Date;
  /** When it was reviewed, or expired. */
  decidedAt: Date | null;
  /** A DID of the owner's, or the id of a rule or reviewer; null if it is pending or expired. */
  reviewedBy: string | null;
  /** The name or address of the reviewer. */
  reviewer: string | null;
  reason: string | null;
  /** The memory it became, as it reads now. */
  memory: { id: string; content: string; category: Category } | null;
  /** While it waits: the memory that says the same already. */
  same: { id: string; category: Category } | null;
  /** While it waits: when its owner last rejected the same text. */
  rejectedAt: Date | null;
  /** With the date that the source of an import claims; null for what agents propose here. */
  imported: { claimed: string | null } | null;
  /** What the guard saw in it. */
  flags: ClaimFlag[];
  /** Whether a job has read it, so that it can be compared. */
  isRead: boolean;
  /** Whether its owner can still have it wait again. */
  isReopenable: boolean;
  /** What its owner asked about it. */
  inquiry: { question: string; answer: string | null } | null;
}
