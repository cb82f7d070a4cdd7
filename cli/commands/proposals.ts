import { type MemoryProposal, ProposalStatus } from "@/lib/protocol/resources";
import type { Command } from "../command";
import { connect, requireProfile } from "../connect";
import { UsageError } from "../failure";
import type { Given } from "../given";
import { columns, minute, oneLine } from "../print";

export const proposals: Command = {
  name: "proposals",
  summary: "List proposals, newest first: the owner sees all, an agent its own.",
  positionals: ["[user]"],
  options: {
    status: { value: "STATUS", help: "pending, approved or rejected" },
    limit: { value: "N", help: "at most so many (default: 100, at most 200)" },
    offset: { value: "N", help: "skip so many" },
  },
  examples: [
    "prof proposals --status pending --demo alice",
    "prof proposals did:prof:user:local:alice",
  ],
  async run(given, io) {
    const connection = connect(given, io);
    const { data, meta } = await connection.client.listProposals({
      did: requireProfile(connection),
      status: statusIn(given),
      limit: given.number("limit"),
      offset: given.number("offset"),
    });
    const shown = data.map(proposalText);
    const text = [...shown, `${meta.count} of ${meta.total}.`].join("\n\n");
    return { text, json: { data, meta } };
  },
};

function statusIn(given: Given): ProposalStatus | undefined {
  const status = ProposalStatus.optional().safeParse(given.text("status"));
  if (status.success) return status.data;
  throw new UsageError("--status takes pending, approved or rejected.");
}

function proposalText(proposal: MemoryProposal): string {
  const { id, status, content, category, agentDid, confidence, context } = proposal;
  const rows = [
    ["By", `${agentDid}, ${minute(proposal.proposedAt)}`],
    ["About", `${category}, confidence ${confidence.toFixed(2)}`],
  ];
  if (context) rows.push(["Because", oneLine(context)]);
  if (status === "pending") rows.push(["Expires", minute(proposal.expiresAt)]);
  if (proposal.reason) rows.push(["Reason", oneLine(proposal.reason)]);
  if (proposal.memoryId) rows.push(["Memory", proposal.memoryId]);
  return `${id}  ${status}\n  ${oneLine(content)}\n${columns(rows, "  ")}`;
}
