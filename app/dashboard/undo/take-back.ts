import { type Restored, restoreAccess } from "@/lib/services/access/restore";
import type { Ctx } from "@/lib/services/context";
import { undoAddition } from "@/lib/services/memories/add";
import { restoreRevision } from "@/lib/services/memories/restore";
import { restorePolicy } from "@/lib/services/policies/remove";
import { restoreTemplate } from "@/lib/services/policies/template";
import { reopenProposals } from "@/lib/services/proposals/reopen";
import type { UndoForm } from "./schemas";

type Input = UndoForm & { did: string };

/** Takes one change back, and says how things are now. */
export async function takeBack(ctx: Ctx, { kind, id, did }: Input): Promise<string> {
  switch (kind) {
    case "proposal":
      await reopenProposals(ctx, { did, proposalIds: id.split(",") });
      return id.includes(",")
        ? "Taken back: they wait in your inbox again."
        : "Taken back: it waits in your inbox again.";
    case "access":
      return accessWords(await restoreAccess(ctx, { did, eventId: id }));
    case "memory":
      // A new memory was nothing before.
      if (id.startsWith("mem_")) await undoAddition(ctx, { did, memoryId: id });
      else await restoreRevision(ctx, { did, revisionId: id });
      return "Taken back.";
    case "policy":
      await restorePolicy(ctx, { did, policyId: id });
      return "Back: the rule stands as it was.";
    case "template":
      await restoreTemplate(ctx, { did, requestId: id });
      return "Taken back: the rules of the template before it stand again.";
  }
}

function accessWords({ ended, restored, requests }: Restored): string {
  if (restored > 0) return "Taken back: it has its access again.";
  const waits = requests > 0 ? "the request waits for you again" : "the agent has asked again";
  return ended > 0 ? `Taken back: the grant is gone, and ${waits}.` : `Taken back: ${waits}.`;
}
