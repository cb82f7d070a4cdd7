// Every form of ours: the action that it is sent to, and what is filled in. Of what may be left out, nothing.
// {memoryId} and the like stand for the id of something that there is.

const long = "A passphrase of five words";
const newAccount = { name: "Carol", email: "carol@example.com", handle: "carol", password: long };
const newAgent = { name: "Iris", description: "", operator: "", did: "iris-2", publicKey: "" };
const value = { name: "colour", kind: "text", value: "Blue" };
const named = { category: "prof:interests", ...value };
const digest = "x".repeat(43);
const changed = { seen: "{seen}" };
const until = { until: "never", who: "all", "allow:prof:health": "on", "may:read": "on" };

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
    ["resetPasswordAction", { token: "x", password: long, revoke: "on" }],
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
    ["undoAction", { kind: "memory", id: "{memoryId}" }],
    ["undoAction", { kind: "memory", id: "{revisionId}" }],
    ["undoAction", { kind: "policy", id: "{policyId}" }],
    ["undoAction", { kind: "template", id: "{changeId}" }],
  ]),
  ...of("dashboard/notices/actions", [
    ["answerTransferAction", { did: "{did}", intent: "refuse" }],
    ["answerTransferAction", { did: "{did}", intent: "accept" }],
    ["dismissResetLinkAction", { madeAt: "{seen}" }],
  ]),
  ...of("dashboard/activity/verify/actions", [["verifyAction", {}]]),
  ...of("dashboard/agents/register/actions", [["registerAction", newAgent]]),
  ...of("dashboard/agents/[did]/actions", [["disconnectAction", { agentDid: "{agentDid}" }]]),
  ...of("dashboard/access/actions", [
    ["decideAction", { requestId: "{requestId}", intent: "deny" }],
    ["decideAction", { requestId: "{requestId}", intent: "preview", "scope:prof:health": "on" }],
    [
      "decideAction",
      { requestId: "{requestId}", intent: "grant", choice: "once", "scope:prof:health": "on" },
    ],
    ["revokeReceiptAction", { receiptId: "{receiptId}" }],
    ["lensAction", {}],
  ]),
  ...of("dashboard/access/policies/actions", [
    ["saveAction", { ...until, intent: "preview", policyId: "{policyId}" }],
    ["saveAction", { ...until, intent: "save", policyId: "{policyId}", shownAs: "{shownAs}" }],
    ["changeAction", { remove: "{policyId}" }],
    ["changeAction", { on: "{policyId}" }],
    ["changeAction", { off: "{policyId}" }],
  ]),
  ...of("dashboard/connections/actions", [
    [
      "issueAction",
      { agentDid: "did:prof:agent:local:x", intent: "preview", days: "7", label: "", others: "" },
    ],
    ["revokeAction", { id: "{tokenId}" }],
    ["seeTokenAction", {}],
  ]),
  ...of("dashboard/memories/actions", [
    ["addAction", { content: "Likes tea.", confidence: "1", category: "prof:interests" }],
    ["editAction", { ...changed, memoryId: "{memoryId}", content: "No.", confidence: "1" }],
    ["moveAction", { ...changed, memoryId: "{memoryId}", category: "prof:health" }],
    ["shelveAction", { ...changed, memoryId: "{memoryId}", how: "archive" }],
    ["shelveAction", { ...changed, memoryId: "{memoryId}", how: "delete" }],
    ["restoreAction", { ...changed, revisionId: "{revisionId}" }],
  ]),
  ...of("dashboard/proposals/actions", [
    ["reviewAction", { intent: "approve", proposalId: "{proposalId}" }],
    ["reviewAction", { intent: "edit", proposalId: "{proposalId}", editedContent: "No." }],
    ["reviewAction", { intent: "replace", proposalId: "{proposalId}", memoryId: "{memoryId}" }],
    ["reviewAction", { intent: "reject", proposalId: "{proposalId}", reason: "No." }],
    ["reviewManyAction", { intent: "reject", "pick:{proposalId}": "on" }],
    ["chooseKeys", { keys: "on" }],
  ]),
  ...of("dashboard/settings/profiles/actions", [
    ["addProfileAction", { handle: "carol-2", name: "Carol", template: "private" }],
  ]),
  ...of("dashboard/settings/profile/actions", [
    ["renameAction", { displayName: "Carol", seen: digest }],
    ["addPreferenceAction", value],
    ["changePreferenceAction", { ...value, seen: digest }],
    ["removePreferenceAction", { name: "colour", seen: digest }],
    ["editJsonAction", { json: "{}", seen: digest }],
  ]),
  ...of("dashboard/settings/values/actions", [
    ["addValueAction", named],
    ["changeValueAction", { ...named, ...changed }],
    ["removeValueAction", { category: "prof:interests", name: "colour", ...changed }],
  ]),
  ...of("dashboard/settings/account/actions", [
    ["setPasswordAction", { password: "short" }],
    ["endSessionAction", { sessionId: "{sessionId}" }],
    ["endOthersAction", {}],
    ["linkAction", { provider: "github" }],
    ["unlinkAction", { provider: "github" }],
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
const limits = { profile: "", access: "", propose: "", review: "", memories: "", proposals: "" };

export const adminsForms: readonly Row[] = [
  ...of("admin/undo/actions", [["undoAction", { kind: "setting", id: "{eventId}" }]]),
  ...of("admin/users/actions", [
    ["inviteAction", { email: "carol@example.com", role: "user" }],
    ["resetAction", user],
    ["stateAction", { ...user, intent: "suspend" }],
    ["roleAction", { ...user, role: "admin" }],
    ["deleteAction", { ...user, typed: "" }],
  ]),
  ...of("admin/agents/actions", [
    ["standingAction", { ...agent, intent: "verify" }],
    ["reasonAction", { ...agent, intent: "suspend", reason: "No." }],
    ["ceilingAction", { ...agent, ceiling: "prof:*" }],
    ["limitsAction", { ...agent, ...limits }],
    ["deleteAction", { ...agent, typed: "" }],
  ]),
  ...of("admin/agents/register/actions", [["registerAction", newAgent]]),
  ...of("admin/agents/keys/actions", [
    ["addKeyAction", { ...agent, label: "Laptop", publicKey: "" }],
    ["revokeKeyAction", { ...agent, keyId: "{keyId}" }],
  ]),
  ...of("admin/profiles/actions", [
    ["stateAction", { ...profile, intent: "suspend" }],
    ["formatAction", { ...profile, profileType: "human", version: "1.0" }],
    ["transferAction", { ...profile, email: "carol@example.com" }],
    ["withdrawAction", profile],
    ["createAction", { ...user, handle: "carol-2", name: "Carol", template: "private" }],
    ["deleteAction", { ...profile, typed: "" }],
  ]),
  ...of("admin/settings/actions", [
    ["settingAction", { name: "SIGN_UP", value: "invitation" }],
    ["resetSettingAction", { name: "SIGN_UP" }],
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
