import { type Restored, restoreAccess } from "@/lib/services/access/restore";
import type { Ctx } from "@/lib/services/context";
import { undoAddition } from "@/lib/services/memories/add";
import { restoreRevisions } from "@/lib/services/memories/restore";
import { removePolicy, restorePolicy, undoSave } from "@/lib/services/policies/remove";
import { restoreTemplate } from "@/lib/services/policies/template";
import { restoreValue } from "@/lib/services/profile-values/restore";
import { reopenProposals } from "@/lib/services/proposals/deciding/reopen";
import { counted } from "../../_components/words/list";
import type { UndoForm } from "./schemas";

type Input = UndoForm & { did: string };

/** Takes one change back, and says how things are now. */
export async function takeBack(ctx: Ctx, { did, ...undo }: Input): Promise<string> {
  if (undo.kind === "value") {
    await restoreValue(ctx, { did, removed: undo.id });
    return "Undone: the value is back.";
  }
  const { kind, id } = undo;
  switch (kind) {
    case "proposal":
      await reopenProposals(ctx, { did, proposalIds: id.split(",") });
      return id.includes(",")
        ? "Undone: they wait in your inbox again."
        : "Undone: it waits in your inbox again.";
    case "access":
      return accessWords(await restoreAccess(ctx, { did, eventId: id }));
    case "everything-off":
      await removePolicy(ctx, { did, policyId: id });
      return "Undone: your other rules decide again.";
    case "memory":
      // A new memory was nothing before.
      if (id.startsWith("mem_")) await undoAddition(ctx, { did, memoryId: id });
      else await restoreRevisions(ctx, { did, revisionIds: id.split(",") });
      return "Undone: your memories are as they were.";
    case "policy":
      await restorePolicy(ctx, { did, policyId: id });
      return "Undone: the rule is as it was.";
    case "rule-change": {
      const [policyId = "", eventId] = id.split(",");
      await undoSave(ctx, { did, policyId, eventId });
      return "Undone: the rule is as it was.";
    }
    case "template":
      await restoreTemplate(ctx, { did, requestId: id });
      return "Undone: the rules of the template before it are back.";
  }
}

function accessWords({ ended, restored, requests, proposals, isStillDenied }: Restored): string {
  if (isStillDenied) return "Taken back: an older rule still denies the agent everything.";
  if (proposals !== undefined) {
    const again =
      proposals === 0
        ? ""
        : `, and ${counted(proposals, "proposal waits", "proposals wait")} again`;
    return `Undone: the agent is not blocked any more${again}.`;
  }
  if (restored > 0) return "Undone: it has its access again.";
  const waits = requests > 0 ? "the request waits for you again" : "the agent has asked again";
  return ended > 0 ? `Undone: the grant is gone, and ${waits}.` : `Undone: ${waits}.`;
}
