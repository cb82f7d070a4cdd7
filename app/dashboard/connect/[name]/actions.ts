"use server";

import { headers } from "next/headers";
import { engine } from "@/lib/engine/engine";
import { type Outcome, profileAction } from "@/lib/http/session/action";
import { answerClient } from "@/lib/services/connect/connect";
import { deviceWords } from "../../../_components/words/device";
import { AnswerForm } from "./schemas";

export interface Answered {
  /** The client's own address, with the answer in it. */
  redirectTo: string;
}

export const answerAction = profileAction(
  AnswerForm,
  async ({ ctx, profile: { did }, input }): Promise<Outcome<Answered>> => {
    const { intent, choice = "1d", scopes, ...answer } = input;
    // The form counts what is switched on; without scripts it has to come back for that.
    if (intent === "preview") return { ok: true, message: null, keeps: true };
    const shown = await answerClient(ctx, {
      ...{ did, choice, ...answer },
      scopes: intent === "grant" ? scopes : [],
      label: deviceWords((await headers()).get("user-agent")),
      mode: engine().settings.values().AGENT_REGISTRATION,
    });
    return { ok: true, message: null, shown };
  },
);
