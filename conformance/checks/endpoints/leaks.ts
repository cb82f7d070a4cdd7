import { z } from "zod";
import { commonMemberScope, covers } from "@/lib/protocol/scope";
import { type Check, NotRun } from "../../check";
import { claim } from "../../expect";
import type { Kit, Reply } from "../../kit";
import { agentView, memoriesOf, ownerView, recordsIn, scopeAnswers } from "../../state";

// A scope is refused by name where nothing in it is allowed: then it may be nowhere else either.

const cites = "Spec, What the service does 2; Protocol 5, Evaluation";

export const leaks: Check[] = [
  {
    id: "leaks.profile",
    sentence: "No category that is refused by name is in the agent's profile.",
    cites,
    run: async (kit) => {
      const { common, memories } = await agentView(kit);
      const { preferences, ...members } = common;
      const shown = Object.keys(Object.keys(preferences).length > 0 ? common : members);
      await notAmong(kit, [
        ...Object.keys(memories),
        ...shown.map((name) => commonMemberScope(name)),
      ]);
    },
  },
  {
    id: "leaks.memories",
    sentence: "No category that is refused by name is in the agent's list of memories.",
    cites,
    run: async (kit) => {
      await notAmong(kit, Object.keys((await memoriesOf(kit, "agent")).data));
    },
  },
  {
    id: "leaks.bytes",
    sentence: "No text and no id of a refused record is in any answer that the agent got.",
    cites,
    needs: ["userKey"],
    run: async (kit) => {
      const refused = await refusedScopes(kit);
      const heard = kit.replies.filter(({ as }) => as === "agent" || as === "token");
      const made = heard.flatMap(ownMemories);
      const all = recordsIn((await ownerView(kit)).memories);
      const records = all.filter(({ id }) => !made.includes(id));
      const isRefused = (category: string) => refused.some((scope) => covers(scope, category));
      const open = records.filter(({ category }) => !isRefused(category));
      const secrets = records
        .filter(({ category }) => isRefused(category))
        .flatMap(({ id, content }) => [id, content])
        .filter((secret) => !open.some(({ content }) => content.includes(secret)));
      if (secrets.length === 0) throw new NotRun("the owner keeps no record from this agent");
      for (const reply of heard) {
        const secret = secrets.find((one) => reply.text.includes(JSON.stringify(one).slice(1, -1)));
        claim(secret === undefined, `it has ${secret}`, reply);
      }
    },
  },
];

// Protocol 6, List Proposals: an agent is told which memory its own proposal became.
const OwnProposals = z.object({ data: z.array(z.object({ memoryId: z.string().optional() })) });

function ownMemories({ json }: Reply): string[] {
  const proposals = OwnProposals.safeParse(json);
  return proposals.data?.data.flatMap(({ memoryId }) => memoryId ?? []) ?? [];
}

async function refusedScopes(kit: Kit) {
  const { refused } = await scopeAnswers(kit);
  if (refused.length === 0) throw new NotRun("this agent may read whatever was tried");
  return refused;
}

async function notAmong(kit: Kit, shown: string[]): Promise<void> {
  const refused = await refusedScopes(kit);
  const leaked = shown.filter((category) => refused.some((scope) => covers(scope, category)));
  claim(leaked.length === 0, `${leaked} is shown, and refused by name`);
}
