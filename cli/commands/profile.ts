import type { Profile } from "@/lib/protocol/answers/profile";
import type { Command } from "../command";
import { connect } from "../connect";
import { oneLine, tree } from "../print";
import { memoriesText, notShown } from "./memories-text";

export const profile: Command = {
  name: "profile",
  summary: "Read a profile, as far as the owner's policies show it.",
  positionals: ["[user]"],
  options: { scopes: { value: "LIST", help: "only these, separated by commas" } },
  examples: [
    "prof profile did:prof:user:local:alice",
    "prof profile alice --scopes prof:preferences,prof:interests --demo iris",
  ],
  async run(given, io) {
    const { client, profileDid: did } = connect(given, io);
    const scopes = given.list("scopes");
    const { data, meta } =
      did === null
        ? await client.getOwnProfile({ scopes })
        : await client.getProfile({ did, scopes });
    const { id, profileType, version, common, memories } = data;
    const lines = [
      `${id}  ${profileType}, version ${oneLine(version)}`,
      "",
      valuesText(common),
      "",
      memoriesText(memories),
      ...notShown(meta),
    ];
    return { text: lines.join("\n"), json: { data, meta } };
  },
};

// `preferences` is in every answer, also where the agent may see none of them.
function valuesText({ preferences, ...rest }: Profile["common"]): string {
  const shown = Object.keys(preferences).length === 0 ? rest : { ...rest, preferences };
  return Object.keys(shown).length === 0 ? "No common values to see." : tree(shown);
}
