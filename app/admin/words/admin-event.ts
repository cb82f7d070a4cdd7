import type { AdminEventLine } from "@/lib/services/admin/list-admin-events";

const words: Record<string, string> = {
  becomeFirstAdmin: "became the first admin",
  redeemInvitation: "accepted an invitation",
  inviteUser: "invited",
  issueResetLink: "made a reset link for",
  suspendUser: "suspended",
  resumeUser: "resumed",
  changeRole: "changed the role of",
  deleteUser: "deleted the account",
  createProfile: "made the profile",
  suspendProfile: "suspended the profile",
  resumeProfile: "resumed the profile",
  setProfileFormat: "changed the type or version of",
  requestTransfer: "requested a transfer of the profile",
  acceptTransfer: "accepted the transfer of the profile",
  refuseTransfer: "refused the transfer of the profile",
  withdrawTransfer: "withdrew the transfer of the profile",
  voidTransfer: "ended the transfer, which was no longer possible, of the profile",
  transferProfile: "transferred the profile",
  deleteProfile: "deleted the profile",
  resetPassword: "chose a new password",
  changePassword: "changed the password of",
  setPassword: "set a password for",
  endSession: "ended a session",
  endOtherSessions: "ended all other sessions",
  endSessions: "ended all sessions of",
  deleteAccount: "deleted the account",
  registerAgent: "registered the agent",
  expireRegistration: "let expire the registration of the agent",
  approveAgent: "approved the agent",
  refuseAgent: "refused the agent",
  suspendAgent: "suspended the agent",
  resumeAgent: "resumed the agent",
  verifyAgent: "marked as verified the agent",
  unverifyAgent: "took the verified mark from the agent",
  setCeiling: "set the ceiling of the agent",
  setLimits: "set the limits of the agent",
  deleteAgent: "deleted the agent",
  addKey: "added a key to",
  revokeKey: "revoked a key of",
  setWebhook: "set the webhook of",
  rotateWebhookSecret: "replaced the secret of the webhook of",
  resumeWebhook: "resumed the webhook of",
  removeWebhook: "removed the webhook of",
  changeSetting: "changed the setting",
  changeAddress: "changed the e-mail address of",
  retryMail: "sent once more the mail",
  startBackup: "started a backup to",
  makeBackup: "made a backup",
  failBackup: "failed to make a",
  restoreBackup: "restored a backup",
  exportAdminActivity: "exported the admin activity as",
};

export const adminVerbs = Object.keys(words);

/** Actors other than admins. */
export const otherActors: Record<string, string> = {
  shell: "Somebody with a shell",
  itself: "An agent, for itself",
  gateway: "The gateway",
};

/** Describes an admin's action, without its actor and its subject. */
export function adminVerbWords(verb: string): string {
  return words[verb] ?? verb.replaceAll(/([A-Z])/g, " $1").toLowerCase();
}

/** Each member that the change is about, as it was and as it is. */
export function changesOf({ before, after }: Pick<AdminEventLine, "before" | "after">): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.flatMap((name) => {
    const was = valueText(before?.[name]);
    const is = valueText(after?.[name]);
    if (before?.[name] === undefined) return [`${name}: ${is}`];
    return was === is ? [] : [`${name}: ${was} → ${is}`];
  });
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
