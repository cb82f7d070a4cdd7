"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { profileAction } from "@/lib/http/session/action";
import { Did } from "@/lib/protocol/did";
import { revokeAgent } from "@/lib/services/access/revoke-agent";

const DisconnectForm = z.object({ agentDid: Did });

export const disconnectAction = profileAction(
  DisconnectForm,
  async ({ ctx, profile: { did }, input }) => {
    const { eventId } = await revokeAgent(ctx, { did, agentDid: input.agentDid });
    revalidatePath("/dashboard", "layout");
    return {
      ok: true,
      message: "Disconnected. Its very next request gets nothing from these grants.",
      undo: { kind: "access", id: eventId },
    };
  },
);
