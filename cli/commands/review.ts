import type { Command } from "../command";
import { connect, requireProfile } from "../connect";
import { UsageError } from "../failure";
import type { Given } from "../given";
import { columns } from "../print";

export const review: Command = {
  name: "review",
  summary: "Approve or reject a pending proposal, as the profile's owner.",
  positionals: ["<proposal>"],
  options: {
    approve: { help: "make a memory of it" },
    reject: { help: "make none" },
    edit: { value: "TEXT", help: "with --approve: the memory's text instead of the proposed one" },
    reason: { value: "TEXT", help: "why; the agent can read it" },
    user: { value: "DID", help: "whose profile (default: that of the one who signs)" },
  },
  examples: [
    "prof review prop_8uGe2LwF5aTjC0iXo3MqSk --approve --demo alice",
    'prof review prop_8uGe2LwF5aTjC0iXo3MqSk --reject --reason "Not true any more."',
  ],
  async run(given, io) {
    const proposalId = given.positional("<proposal>");
    if (proposalId === undefined) {
      throw new UsageError("Which proposal? See the ids with: prof proposals --status pending");
    }
    const action = actionIn(given);
    const connection = connect(given, io);
    const { data, meta } = await connection.client.reviewProposal({
      did: requireProfile(connection),
      proposalId,
      action,
      editedContent: given.text("edit"),
      reason: given.text("reason"),
    });
    const rows = [
      ["Proposal", data.proposalId],
      ["Status", data.status],
    ];
    if (data.status === "approved") rows.push(["Memory", data.memoryId]);
    return { text: columns(rows), json: { data, meta } };
  },
};

function actionIn(given: Given): "approve" | "reject" {
  if (given.flag("approve") !== given.flag("reject")) {
    return given.flag("approve") ? "approve" : "reject";
  }
  throw new UsageError("Say --approve or --reject, one of them.");
}
