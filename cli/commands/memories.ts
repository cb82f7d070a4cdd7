import type { Command } from "../command";
import { connect, requireProfile } from "../connect";
import { memoriesText, notShown } from "./memories-text";

export const memories: Command = {
  name: "memories",
  summary: "List the memories of a profile, newest first.",
  positionals: ["[user]"],
  options: {
    category: { value: "CATEGORY", help: "this one and all below it" },
    limit: { value: "N", help: "at most so many records (default: 50, at most 200)" },
    offset: { value: "N", help: "skip so many" },
  },
  examples: [
    "prof memories did:prof:user:local:alice --category prof:interests",
    "prof memories alice --demo iris --limit 10",
  ],
  async run(given, io) {
    const connection = connect(given, io);
    const { data, meta } = await connection.client.listMemories({
      did: requireProfile(connection),
      category: given.text("category"),
      limit: given.number("limit"),
      offset: given.number("offset"),
    });
    const last = meta.offset + meta.count;
    const range = meta.count === 0 ? "No records" : `Records ${meta.offset + 1} to ${last}`;
    const lines = [memoriesText(data), "", `${range} of ${meta.total}.`, ...notShown(meta)];
    return { text: lines.join("\n"), json: { data, meta } };
  },
};
