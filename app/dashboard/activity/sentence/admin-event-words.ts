import { z } from "zod";
import { counted, list } from "@/app/_components/words/list";
import { dayWords } from "@/app/_components/words/time";
import { always, type VerbWords } from "./parts";

// Words for what admins and the gateway do to an account and its profiles.
export const adminEventWords: Readonly<Record<string, VerbWords>> = {
  suspendUser: always("suspended your account", "suspend your account"),
  resumeUser: always("let your account in again", "let your account in again"),
  changeRole: {
    done: ({ detail }) => [
      detail.role === "admin" ? "made you an admin" : "took the role of an admin from you",
    ],
    tried: () => "change your role",
  },
  issueResetLink: always(
    "made a link with which you can choose a new password",
    "make a link to a new password",
  ),
  resetPassword: {
    done: ({ detail: { unlinked, revoked } }) => [
      "chose a new password with a link, which ended every session",
      Array.isArray(unlinked) && unlinked.length > 0 ? " and unlinked every other sign-in" : "",
      ...revokedWords(revoked),
    ],
    tried: () => "choose a new password with a link",
  },
  suspendProfile: always("suspended this profile", "suspend this profile"),
  resumeProfile: always("resumed this profile", "resume this profile"),
  setProfileFormat: always(
    "changed the type or the version of this profile",
    "change the type or the version of this profile",
  ),
  requestTransfer: always(
    "asked to give this profile to another account",
    "give this profile to another account",
  ),
  acceptTransfer: always(
    "accepted the transfer of this profile",
    "accept the transfer of this profile",
  ),
  refuseTransfer: always(
    "refused the transfer of this profile",
    "refuse the transfer of this profile",
  ),
  withdrawTransfer: always(
    "withdrew the transfer of this profile",
    "withdraw the transfer of this profile",
  ),
  voidTransfer: always(
    "ended the transfer of this profile: the other account could not take it",
    "end the transfer of this profile",
  ),
  transferProfile: {
    done: ({ detail }) => ["gave this profile to another account", ...revokedWords(detail.revoked)],
    tried: () => "give this profile away",
  },
  transferOtherProfile: always(
    "gave another profile of yours to somebody else",
    "give another profile of yours away",
  ),
  deleteOtherProfile: always("deleted another profile of yours", "delete another profile of yours"),
  addAgentKey: {
    done: ({ about }) =>
      about === null
        ? ["added a signing key to an agent: its holder reads as the agent"]
        : ["added a signing key to ", { agent: about }, ": its holder reads as ", { agent: about }],
    tried: () => "add a signing key to an agent",
  },
  dropEvents: {
    done: ({ detail }) => [`dropped the events ${before(detail)}which it does not keep for longer`],
    tried: () => "drop old events",
  },
  restoreBackup: {
    done: ({ detail: { policies } }) => [
      "restored a backup",
      Array.isArray(policies)
        ? `, and switched off ${counted(policies.length, "rule")}: what you changed since the backup is not in it`
        : "",
    ],
    tried: () => "restore a backup",
  },
};

const Revoked = z.object({
  keys: z.array(z.string()),
  tokens: z.array(z.string()),
  policies: z.array(z.string()).default([]),
  receipts: z.number().default(0),
});

function revokedWords(detail: unknown): string[] {
  const revoked = Revoked.safeParse(detail).data;
  if (revoked === undefined) return [];
  const { keys, tokens, policies, receipts } = revoked;
  const counts = [
    keys.length === 0 ? [] : [counted(keys.length, "key")],
    tokens.length === 0 ? [] : [counted(tokens.length, "token")],
    receipts === 0 ? [] : [counted(receipts, "receipt")],
  ].flat();
  return [
    counts.length === 0 ? "" : `, and revoked ${list(counts)}`,
    policies.length === 0 ? "" : `, and switched off ${counted(policies.length, "rule")}`,
  ];
}

function before({ before: instant }: Record<string, unknown>): string {
  const at = new Date(typeof instant === "string" ? instant : Number.NaN);
  if (Number.isNaN(at.getTime())) return "of long ago, ";
  return `before ${dayWords(at)} UTC, `;
}
