// Every form of ours: the action that it is sent to, and what is filled in. Of what may be left out, nothing.
// {memoryId} and the like stand for the id of something that there is.

const long = "A passphrase of five words";
const newAccount = { name: "Carol", email: "carol@example.com", handle: "carol", password: long };
const newAgent = { name: "Iris", description: "", operator: "", did: "iris-2", publicKey: "" };
const blue = { name: "colour", value: "Blue" };
const value = { ...blue, kind: "text", answer: "no" };
const named = { category: "", typed: "interests", ...value };
const digest = "x".repeat(43);
const forOwner = { proposalId: "{forOwnerId}" };
const changed = { seen: "{seen}" };
const rule = { until: "never", agent: "verified", deed: "propose", "scope:prof:health": "on" };
const token = {
  ...{ agent: "did:prof:agent:local:x", deed: "read", "scope:prof:health": "on" },
  ...{ days: "7", label: "" },
};

export type Fields = Readonly<Record<string, string>>;
type Row = readonly [action: string, fields: Fields];

function of(file: string, rows: readonly Row[]): Row[] {
  return rows.map(([action, fields]) => [`${action} of app/${file}.ts`, fields]);
}

export const ownersForms: readonly Row[] = [
  ...of("theme-action", [["chooseTheme", { theme: "dark" }]]),
  ...of("(auth)/actions", [
    ["signInAction", { email: "carol@example.com", password: long }],
    ["signUpAction", newAccount],
    ["redeemLinkAction", { ...newAccount, token: "x" }],
    ["restoreAction", { token: "x", kept: "", path: "/none.tar.gz", passphrase: "" }],
    ["resetPasswordAction", { token: "x", password: long, revoke: "on" }],
    ["forgotAction", { email: "carol@example.com" }],
    ["stopMailAction", { what: "digest", key: "x" }],
    ["confirmAddressAction", { token: "x" }],
    ["signOutAction", {}],
  ]),
  ...of("(auth)/providers/actions", [["beginAction", { provider: "github" }]]),
  ...of("(auth)/confirm/actions", [
    ["confirmAction", { back: "/dashboard/settings" }],
    ["signInAgainAction", { provider: "github", back: "/dashboard/settings" }],
  ]),
  ...of("dashboard/choose-profile", [["chooseProfile", { profile: "{did}" }]]),
  ...of("dashboard/undo/actions", [
    ["undoAction", { kind: "proposal", id: "{decidedId}" }],
    ["undoAction", { kind: "access", id: "{eventId}" }],
    ["undoAction", { kind: "everything-off", id: "{policyId}" }],
    ["undoAction", { kind: "memory", id: "{memoryId}" }],
    ["undoAction", { kind: "memory", id: "{revisionId}" }],
    ["undoAction", { kind: "policy", id: "{policyId}" }],
    ["undoAction", { kind: "rule-change", id: "{policyId},{eventId}" }],
    ["undoAction", { kind: "template", id: "{changeId}" }],
    ["undoAction", { kind: "value", id: JSON.stringify({ category: "prof:a", ...blue }) }],
  ]),
  ...of("dashboard/notices/actions", [
    ["answerTransferAction", { did: "{did}", intent: "refuse" }],
    ["answerTransferAction", { did: "{did}", intent: "accept" }],
    ["dismissResetLinkAction", { madeAt: "{seen}" }],
  ]),
  ...of("dashboard/activity/verify/actions", [["verifyAction", {}]]),
  ...of("dashboard/search/actions", [["searchAction", {}]]),
  ...of("dashboard/agents/register/actions", [["registerAction", newAgent]]),
  ...of("dashboard/agents/actions", [
    ["removeAccessAction", { agentDid: "{agentDid}" }],
    ["removeAccessAction", { agentDid: "{agentDid}", blocks: "on" }],
    ["everythingOffAction", { intent: "off" }],
    ["liftAction", { policyId: "{policyId}" }],
    ["liftRejectionAction", { rejectionId: "{rejectionId}" }],
    ["shrinkAccessAction", { agentDid: "{agentDid}", take: "{unusedId} prof:health" }],
  ]),
  ...of("dashboard/agents/[did]/approving/actions", [
    [
      "startApprovingAction",
      {
        ...{ agentDid: "{agentDid}", confidence: "0.8", days: "30", uses: "100" },
        "kind:prof:interests": "on",
      },
    ],
    ["endApprovingAction", { ruleId: "{ruleId}" }],
    ["undoApprovingAction", { ruleId: "{ruleId}" }],
  ]),
  ...of("dashboard/agents/[did]/quarantine/actions", [
    ["quarantineAction", { agentDid: "{agentDid}" }],
    ["liftQuarantineAction", { agentDid: "{shutOutDid}" }],
    ["undoWrittenAction", { agentDid: "{agentDid}", days: "30" }],
  ]),
  ...of("dashboard/agents/[did]/webhook/actions", [
    ["setWebhookAction", { agentDid: "{runDid}", url: "https://agent.example.com/" }],
    ["webhookAction", { agentDid: "{runDid}", intent: "test" }],
    ["webhookAction", { agentDid: "{runDid}", intent: "rotate" }],
    ["webhookAction", { agentDid: "{runDid}", intent: "resume" }],
    ["webhookAction", { agentDid: "{runDid}", intent: "remove" }],
    ["replayAction", { agentDid: "{runDid}", replay: "{messageId}" }],
  ]),
  ...of("dashboard/access/actions", [
    ["decideAction", { requestId: "{requestId}", intent: "deny" }],
    ["decideAction", { requestId: "{requestId}", intent: "preview", "scope:prof:health": "on" }],
    [
      "decideAction",
      { requestId: "{requestId}", intent: "grant", choice: "once", "scope:prof:health": "on" },
    ],
    ["revokeReceiptAction", { receiptId: "{receiptId}" }],
  ]),
  ...of("dashboard/ask/[id]/actions", [
    ["askAction", { id: "{requestId}", question: "Why?" }],
    ["askAction", { id: "{proposalId}", question: "Why?" }],
  ]),
  ...of("dashboard/connect/[name]/actions", [
    ["answerAction", { name: digest, intent: "deny" }],
    ["answerAction", { name: digest, intent: "preview", "scope:prof:health": "on" }],
    ["answerAction", { name: digest, intent: "grant", choice: "1d", "scope:prof:health": "on" }],
  ]),
  ...of("dashboard/access/policies/actions", [
    ["saveAction", { ...rule, intent: "preview", policyId: "{policyId}" }],
    ["saveAction", { ...rule, intent: "save", policyId: "{policyId}", shownAs: "{shownAs}" }],
    ["changeAction", { remove: "{policyId}" }],
    ["changeAction", { on: "{policyId}" }],
    ["changeAction", { off: "{policyId}" }],
  ]),
  ...of("dashboard/connections/actions", [
    ["issueAction", { ...token, intent: "preview" }],
    ["issueAction", { ...token, intent: "issue" }],
    ["revokeAction", { revoke: "{tokenId}" }],
  ]),
  ...of("dashboard/memories/actions", [
    ["addAction", { content: "Likes tea.", confidence: "1", category: "", typed: "interests" }],
    [
      "editAction",
      {
        ...{ ...changed, memoryId: "{memoryId}", content: "No.", confidence: "1" },
        ...{ category: "", typed: "health" },
      },
    ],
    ["changeAction", { how: "archive {memoryId} {seen}" }],
    ["changeAction", { how: "delete", "{memoryId}": "{seen}" }],
    ["changeAction", { how: "move", "{memoryId}": "{seen}", category: "prof:health" }],
    ["restoreAction", { ...changed, revisionId: "{revisionId}" }],
  ]),
  ...of("dashboard/settings/reviewers/actions", [
    ["inviteReviewerAction", { email: "rae@example.com", days: "30" }],
    ["withdrawInvitationsAction", {}],
    ["endReviewerAction", { reviewerId: "{reviewerId}" }],
    ["answerInvitationAction", { reviewerId: "{invitedId}", intent: "accept" }],
    ["answerInvitationAction", { reviewerId: "{invitedId}", intent: "leave" }],
    ["decideForOwnerAction", { ...forOwner, reviewerId: "{reviewingId}", intent: "approve" }],
  ]),
  ...of("dashboard/memories/import/actions", [["undoImportAction", { batchId: "{batchId}" }]]),
  ...of("dashboard/proposals/actions", [
    ["reviewAction", { intent: "approve", proposalId: "{proposalId}" }],
    ["reviewAction", { intent: "edit", proposalId: "{proposalId}", editedContent: "No." }],
    ["reviewAction", { intent: "replace", proposalId: "{proposalId}", memoryId: "{memoryId}" }],
    ["reviewAction", { intent: "reject", proposalId: "{proposalId}", reason: "No." }],
    ["reviewManyAction", { intent: "reject", proposalIds: "{proposalId}" }],
    ["chooseKeys", { keys: "on" }],
  ]),
  ...of("dashboard/settings/profiles/actions", [
    ["addProfileAction", { handle: "carol-2", name: "Carol", template: "private" }],
  ]),
  ...of("dashboard/settings/profile/actions", [
    [
      "saveProfileAction",
      {
        ...{ displayName: "Carol", seen: digest },
        ...{ "preferences/colour": "", "preferences/colour.0": "Red" },
      },
    ],
    ["addPreferenceAction", value],
  ]),
  ...of("dashboard/settings/values/actions", [
    ["addValueAction", named],
    [
      "saveValuesAction",
      { seen: digest, "prof:interests/colour": "", "prof:interests/colour.0": "Red" },
    ],
  ]),
  ...of("dashboard/settings/account/actions", [
    ["setPasswordAction", { password: "short" }],
    ["endSessionAction", { sessionId: "{sessionId}" }],
    ["endOthersAction", {}],
    ["linkAction", { provider: "github" }],
    ["unlinkAction", { provider: "github" }],
  ]),
  ...of("dashboard/settings/mail/actions", [
    ["changeMailAction", { digest: "day", hour: "8", weekday: "1", timeZone: "UTC" }],
    ["addressAction", { email: "carol@example.com" }],
    ["muteAction", { agentDid: "{agentDid}", muted: "yes" }],
  ]),
  ...of("dashboard/settings/keys/actions", [
    ["addKeyAction", { label: "Laptop", publicKey: "" }],
    ["revokeKeyAction", { keyId: "{keyId}" }],
  ]),
  ...of("dashboard/settings/delete/actions", [
    ["deleteProfileAction", { word: "no" }],
    ["deleteAccountAction", { word: "no" }],
  ]),
];

const user = { userId: "{userId}" };
const profile = { did: "{did}" };
const agent = { did: "{agentDid}" };
const newProfile = { name: "Carol", template: "private" };
const limits = { profile: "", access: "", propose: "", review: "", memories: "", proposals: "" };

export const adminsForms: readonly Row[] = [
  ...of("admin/users/actions", [
    ["userAction", { intent: "invite", email: "carol@example.com", role: "user" }],
    ["userAction", { ...user, intent: "reset" }],
    ["userAction", { ...user, intent: "suspend" }],
    ["userAction", { ...user, intent: "changeRole", role: "admin" }],
    ["userAction", { ...user, intent: "delete", typed: "" }],
  ]),
  ...of("admin/agents/actions", [
    ["agentAction", { ...agent, intent: "verify" }],
    ["agentAction", { ...agent, intent: "suspend", reason: "No." }],
    ["agentAction", { ...agent, intent: "setCeiling", ceiling: "prof:*" }],
    ["agentAction", { ...agent, intent: "setLimits", ...limits }],
    ["agentAction", { ...agent, intent: "addKey", label: "Laptop", publicKey: "" }],
    ["agentAction", { ...agent, intent: "delete", typed: "" }],
    ["registerAction", newAgent],
    ["revokeKeyAction", { ...agent, keyId: "{keyId}" }],
  ]),
  ...of("admin/profiles/actions", [
    ["profileAction", { ...profile, intent: "suspend" }],
    ["profileAction", { ...profile, intent: "setFormat", profileType: "human", version: "1.0" }],
    ["profileAction", { ...profile, intent: "transfer", email: "carol@example.com" }],
    ["profileAction", { ...profile, intent: "withdraw" }],
    ["profileAction", { ...user, intent: "create", handle: "carol-2", ...newProfile }],
    ["profileAction", { ...profile, intent: "delete", typed: "" }],
  ]),
  ...of("admin/outbox/actions", [["outboxAction", { intent: "retry", id: "msg_1" }]]),
  ...of("admin/backups/actions", [["backupAction", { intent: "start" }]]),
  ...of("admin/settings/actions", [
    ["settingAction", { intent: "change", name: "SIGN_UP", value: "invitation" }],
    ["settingAction", { intent: "reset", name: "SIGN_UP" }],
    ["undoAction", { kind: "setting", id: "{eventId}" }],
  ]),
];

/** With these ids in it. */
export function filledIn(fields: Fields, ids: Fields): [name: string, value: string][] {
  const filled = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_all, name: string) => {
      const id = ids[name];
      if (id === undefined) throw new Error(`no example for ${name}`);
      return id;
    });
  return Object.entries(fields).map(([name, text]) => [filled(name), filled(text)]);
}
