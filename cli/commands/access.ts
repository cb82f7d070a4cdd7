import type { Command } from "../command";
import { connect, requireProfile } from "../connect";
import { columns, minute } from "../print";

export const access: Command = {
  name: "access",
  summary: "Ask for scopes of a profile, for a purpose.",
  positionals: ["<user>"],
  options: {
    scopes: { value: "LIST", help: "what is asked for, separated by commas" },
    purpose: { value: "TYPE", help: "personalization, recommendation, research, …" },
    description: { value: "TEXT", help: "the purpose in your own words" },
    "legal-basis": { value: "WORD", help: "consent, contract, …" },
    retention: { value: "WORD", help: "session_only, 24h, 7d, 30d, 1y, indefinite" },
  },
  examples: [
    "prof access did:prof:user:local:alice --scopes prof:interests --purpose personalization",
    'prof access alice --demo iris --scopes prof:interests --purpose recommendation --description "Picking films"',
  ],
  async run(given, io) {
    const connection = connect(given, io);
    const { data, meta } = await connection.client.requestAccess({
      did: requireProfile(connection),
      scopes: given.required("scopes").split(","),
      purpose: {
        type: given.required("purpose"),
        description: given.text("description"),
        legalBasis: given.text("legal-basis"),
        retention: given.text("retention"),
      },
    });
    const text = columns([
      ["Receipt", data.receiptId],
      ["Granted", data.grantedScopes.join(", ")],
      ["Denied", data.deniedScopes.join(", ") || "nothing"],
      ["Until", minute(data.expiresAt)],
    ]);
    return { text, json: { data, meta } };
  },
};
