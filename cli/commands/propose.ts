import type { Command } from "../command";
import { connect } from "../connect";
import { columns, minute } from "../print";

export const propose: Command = {
  name: "propose",
  summary: "Propose a memory; the owner approves or rejects it.",
  positionals: ["[user]"],
  options: {
    content: { value: "TEXT", help: "the memory" },
    category: { value: "CATEGORY", help: "where it belongs, like prof:interests" },
    confidence: { value: "0…1", help: "how sure you are (default: 0.7)" },
    context: { value: "TEXT", help: "why you propose it" },
  },
  examples: [
    'prof propose did:prof:user:local:alice --category prof:interests --content "Plays chess on Sundays."',
    'prof propose alice --demo iris --category prof:interests --content "Plays chess." --confidence 0.9',
  ],
  async run(given, io) {
    const { client, profileDid: did } = connect(given, io);
    const memory = {
      content: given.required("content"),
      category: given.required("category"),
      confidence: given.number("confidence"),
      context: given.text("context"),
    };
    const { data, meta, status } =
      did === null
        ? await client.proposeOwnMemory(memory)
        : await client.proposeMemory({ did, ...memory });
    const text = columns([
      ["Proposal", data.proposalId],
      ["Status", status === 201 ? data.status : `${data.status} (it was proposed before)`],
      ["Expires", minute(data.expiresAt)],
    ]);
    return { text, json: { data, meta } };
  },
};
