import { endpoints } from "@/lib/protocol/endpoints";
import type { Check } from "../../check";
import { claim, faulted, refused, succeeded } from "../../expect";
import type { Kit } from "../../kit";
import {
  contentOf,
  firstProposal,
  memoriesOf,
  once,
  proposalsOf,
  propose,
  recordsIn,
  reviewPath,
} from "../../state";

const point = "Spec, Endpoints 6. Review Proposal";
const states = "Spec, Memory proposal states";
const decided = "Protocol 6, Review";

const approved = once(async (kit) => {
  const { proposalId } = (await firstProposal(kit)).data;
  return { proposalId, reply: await review(kit, proposalId, { action: "approve" }) };
});

const rejected = once(async (kit) => {
  const { proposalId } = (await propose(kit, "to be rejected")).data;
  const body = { action: "reject", reason: "Not so." };
  return { proposalId, reply: await review(kit, proposalId, body) };
});

const invalid: [id: string, what: string, member: string, body: object][] = [
  ["no-action", "without action", "action", {}],
  ["action-unknown", "with an unknown action", "action", { action: "postpone" }],
  ["action-case", "with action in upper case", "action", { action: "APPROVE" }],
  [
    "edited-reject",
    "that rejects and edits",
    "editedContent",
    { action: "reject", editedContent: "x" },
  ],
  [
    "edited-blank",
    "with a blank editedContent",
    "editedContent",
    { action: "approve", editedContent: "  " },
  ],
  [
    "edited-long",
    "with an editedContent of 10,001 characters",
    "editedContent",
    { action: "approve", editedContent: "e".repeat(10_001) },
  ],
  [
    "reason-long",
    "with a reason of 501 characters",
    "reason",
    { action: "reject", reason: "r".repeat(501) },
  ],
];

const asOwner: Check[] = [
  {
    id: "review.approve",
    sentence: "Approving answers proposalId, status approved and the memory's id.",
    cites: point,
    run: async (kit) => {
      const { proposalId, reply } = await approved(kit);
      const { data } = succeeded(reply, endpoints.reviewProposal, 200);
      claim(data.proposalId === proposalId && data.status === "approved", "another outcome", reply);
      claim(/^mem_[0-9A-Za-z]{22}$/.test(data.memoryId), `memoryId is ${data.memoryId}`);
    },
  },
  {
    id: "review.memory",
    sentence: "An approved proposal yields a memory with its content, category and confidence.",
    cites: states,
    run: async (kit) => {
      const memory = await memoryOf(kit, (await approved(kit)).reply);
      claim(memory.content === contentOf(kit, "first"), `its content is ${memory.content}`);
      claim(memory.category === kit.options.category, `its category is ${memory.category}`);
      claim(memory.confidence === 0.9, `its confidence is ${memory.confidence}`);
    },
  },
  {
    id: "review.listed",
    sentence: "The agent finds its proposal approved, with the memory's id.",
    cites: "Protocol 6, List Proposals: once decided",
    run: async (kit) => {
      const { proposalId, reply } = await approved(kit);
      const { data } = succeeded(reply, endpoints.reviewProposal);
      const listed = (await proposalsOf(kit, "agent", "?status=approved")).data;
      const one = listed.find(({ id }) => id === proposalId);
      const memoryId = data.status === "approved" ? data.memoryId : undefined;
      claim(one?.memoryId === memoryId && one?.reviewedAt !== undefined, JSON.stringify(one));
    },
  },
  {
    id: "review.edited",
    sentence: "editedContent replaces the content of the memory.",
    cites: `${point}, editedContent`,
    run: async (kit) => {
      const { proposalId } = (await propose(kit, "to be edited")).data;
      const editedContent = contentOf(kit, "edited");
      const memory = await memoryOf(
        kit,
        await review(kit, proposalId, { action: "approve", editedContent }),
      );
      claim(memory.content === editedContent, `its content is ${memory.content}`);
    },
  },
  {
    id: "review.reject",
    sentence: "Rejecting answers proposalId and status rejected, and makes no memory.",
    cites: states,
    run: async (kit) => {
      const { proposalId, reply } = await rejected(kit);
      const { data } = succeeded(reply, endpoints.reviewProposal, 200);
      claim(data.proposalId === proposalId && data.status === "rejected", "another outcome", reply);
      const { data: memories } = await memoriesOf(kit, "user", "?limit=200");
      const made = recordsIn(memories).some(
        ({ content }) => content === contentOf(kit, "to be rejected"),
      );
      claim(!made, "it made a memory");
    },
  },
  {
    id: "review.reason",
    sentence: "The agent can read the reason.",
    cites: decided,
    run: async (kit) => {
      const { proposalId } = await rejected(kit);
      const listed = (await proposalsOf(kit, "agent", "?status=rejected")).data;
      const reason = listed.find(({ id }) => id === proposalId)?.reason;
      claim(reason === "Not so.", `reason is ${reason}`);
    },
  },
  ...(["approve", "reject"] as const).map(
    (action): Check => ({
      id: `review.again.${action}`,
      sentence: `Who tries to ${action} what is decided already gets 400 PROF006 with details.status.`,
      cites: decided,
      run: async (kit) => {
        const { proposalId } = await approved(kit);
        const { details } = refused(await review(kit, proposalId, { action }), "PROF006");
        claim(details?.status === "approved", `details.status is ${details?.status}`);
      },
    }),
  ),
  {
    id: "review.unknown",
    sentence: "A proposal that is not this profile's is 404 PROF003.",
    cites: decided,
    run: async (kit) => {
      const unknown = await kit.call({
        as: "user",
        method: "POST",
        target: reviewPath(kit),
        body: { action: "approve" },
      });
      refused(unknown, "PROF003");
    },
  },
  {
    id: "review.race",
    sentence: "Of reviews that race exactly one wins, and an approval makes one memory.",
    cites: decided,
    run: async (kit) => {
      const { proposalId } = (await propose(kit, "to be raced for")).data;
      const actions = ["approve", "reject", "approve", "reject", "approve"];
      const replies = await Promise.all(
        actions.map((action) => review(kit, proposalId, { action })),
      );
      const [won, ...others] = replies.filter(({ status }) => status === 200);
      claim(won !== undefined && others.length === 0, `not one of ${actions.length} won`);
      for (const reply of replies) if (reply.status !== 200) refused(reply, "PROF006");
      const { data } = await memoriesOf(kit, "user", "?limit=200");
      const made = recordsIn(data).filter(
        ({ content }) => content === contentOf(kit, "to be raced for"),
      );
      const { status } = succeeded(won, endpoints.reviewProposal).data;
      claim(made.length === (status === "approved" ? 1 : 0), `${made.length} memories, ${status}`);
    },
  },
  ...invalid.map(
    ([id, what, member, body]): Check => ({
      id: `review.refuses.${id}`,
      sentence: `A review ${what} is 400 PROF006.`,
      cites: decided,
      run: async (kit) => {
        faulted(
          await kit.call({ as: "user", method: "POST", target: reviewPath(kit), body }),
          member,
        );
      },
    }),
  ),
];

export const reviewing: Check[] = [
  {
    id: "review.agent",
    sentence: "An agent may not review, not even its own proposal: 403 PROF002.",
    cites: "Protocol 4, review",
    run: async (kit) => {
      const { proposalId } = (await firstProposal(kit)).data;
      const body = { action: "approve" };
      refused(
        await kit.call({ method: "POST", target: reviewPath(kit, proposalId), body }),
        "PROF002",
      );
    },
  },
  ...asOwner.map((check): Check => ({ ...check, needs: ["userKey"] })),
  {
    id: "review.left-pending",
    sentence: "What this run proposed and nobody decided can be rejected.",
    cites: states,
    needs: ["userKey"],
    run: async (kit) => {
      const { data } = await proposalsOf(kit, "agent", "?status=pending");
      const own = data.filter(({ content }) => content.includes(`Conformance run ${kit.run}`));
      for (const { id } of own)
        succeeded(await review(kit, id, { action: "reject" }), endpoints.reviewProposal);
    },
  },
];

function review(kit: Kit, proposalId: string, body: object) {
  return kit.call({ as: "user", method: "POST", target: reviewPath(kit, proposalId), body });
}

async function memoryOf(kit: Kit, reply: Awaited<ReturnType<typeof review>>) {
  const { data } = succeeded(reply, endpoints.reviewProposal, 200);
  const memoryId = data.status === "approved" ? data.memoryId : "";
  const { data: memories } = await memoriesOf(kit, "user", `?category=${kit.options.category}`);
  const memory = recordsIn(memories).find(({ id }) => id === memoryId);
  claim(memory !== undefined, `the owner finds no memory ${memoryId}`);
  return memory;
}
