import type { ReactNode } from "react";
import type { FlagKind } from "@/lib/protocol/flags";
import type { InboxItem } from "@/lib/services/proposals/inbox-item";
import type { IconName } from "../../../../_components/icon";

/** A proposal that waits, as its card and its line in the queue need it. */
export interface InboxCard
  extends Pick<
    InboxItem,
    | "id"
    | "content"
    | "context"
    | "confidence"
    | "proposedAt"
    | "expiresAt"
    | "inquiry"
    | "flags"
    | "imported"
  > {
  /** For a list, where that is not its beginning as it is: without what looks like a password. */
  line: string | undefined;
  /** Its DID. */
  agent: string;
  category: string;
  /** The root of the category. */
  kind: string;
  /** What its text is known to be; undefined where it is compared once the card is near. */
  likeness: Likeness | undefined;
}

/** What a claim is to something known, as a route answers it, too. `same` has no content where the texts are equal. */
export type Likeness =
  | { kind: "none" }
  | { kind: "unread" }
  | { kind: "same"; memoryId: string; title: string; content?: string }
  | { kind: "rejected"; at: string }
  | { kind: "contradicts" | "updates" | "outdated" | "close"; memoryId: string; content: string }
  | { kind: "waiting" | "twin" | "opposite"; proposalId: string; content: string };

export interface ShownAgent {
  name: string;
  /** Its picture, as large as what it stands in. */
  tile: ReactNode;
  /** Its name, and whether it is verified. */
  who: ReactNode;
  /** Its page; null for a person's own key. */
  /** "wants to remember about you" */
  wants: string;
  href: string | null;
  /** The list of what it proposes. */
  proposals: string;
  /** It cannot be asked: its proposals are an import. */
  isImport?: true;
  /** What its name is flagged for. */
  nameFlags: FlagKind[];
}

export interface ShownCategory {
  title: string;
  icon: IconName;
  /** What is sensitive in it, in words. */
  sensitive: string | null;
  /** Who could read a memory in it, and who may take it without asking, in words. */
  readers: string;
  audience: ReactNode;
}

export interface Known {
  now: Date;
  agents: Record<string, ShownAgent>;
  categories: Record<string, ShownCategory>;
}

/** What the card shows below the threshold, and which acts it offers. The last three ask for a second act. */
export type Mode = "read" | "edit" | "reject" | "keep" | "replace" | "save";
