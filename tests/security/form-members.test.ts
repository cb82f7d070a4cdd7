import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { hashSecretToken } from "@/lib/services/accounts/secret-token";
import { displayName, versionOf } from "@/lib/services/profile-values/edit-common";
import { versionOfValues } from "@/lib/services/profile-values/version";
import { signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { mintAdmin, mintKeyPair } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { adminsForms, type Fields, filledIn, ownersForms } from "./cases/forms";
import { type Action, actionNamed, callAction, formSent } from "./testing/actions";
import {
  giveBatch,
  giveQuarantine,
  giveRejection,
  giveReviewer,
  giveReviewing,
  giveRule,
  giveUnused,
} from "./testing/reviewed";
import { type Deed, deedOf, stolenFrom } from "./testing/stolen";
import { mintWorld, type World } from "./testing/world";

// Fields of a form that no page of ours shows, and that are not the sender's to choose: at every form.
const engine = await testEngine();
const gateway = await addressOf(
  startGateway({
    DATABASE_URL: engine.env.DATABASE_URL ?? "",
    LOG_LEVEL: "warn",
    LIMIT_SESSION: "1000000",
  }),
);
engine.setNow(new Date());
const admins = await signedInCookie(engine, await mintAdmin(engine));
const victim = await mintWorld(engine);
const stolen = Object.fromEntries(
  Object.entries(stolenFrom(victim)).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]),
);
type Form = [name: string, fields: Fields, isAdmins: boolean];
const forms: Form[] = [
  ...ownersForms.map(([name, fields]): Form => [name, fields, false]),
  ...adminsForms.map(([name, fields]): Form => [name, fields, true]),
];

const common = { identity: { displayName: "Alice" }, preferences: { colour: "Blue" } };
const publicKey = () => Buffer.from(mintKeyPair().publicKey).toString("base64");
const fresh = () => newId("new");
const email = ({ owner }: World) => `${owner.userId}@alice.test`.toLowerCase();

// What makes a form one that its action does something with, where that takes more than ids.
const more: Record<string, (world: World) => Fields | Promise<Fields>> = {
  "signUpAction of app/(auth)/actions.ts": newAccount,
  "redeemLinkAction of app/(auth)/actions.ts": async () => {
    const account = newAccount();
    return { ...account, token: await giveLink("invitation", account.email) };
  },
  "resetPasswordAction of app/(auth)/actions.ts": async (world) => ({
    token: await giveLink("password_reset", email(world)),
  }),
  "confirmAddressAction of app/(auth)/actions.ts": async (world) => ({
    token: await giveLink("address", email(world), world.owner.userId),
  }),
  "changeMailAction of app/dashboard/settings/mail/actions.ts": giveMailbox,
  "muteAction of app/dashboard/settings/mail/actions.ts": giveMailbox,
  "retry of app/admin/outbox/actions.ts": async () => ({ id: await giveFailedMail() }),
  "start of app/admin/backups/actions.ts": giveRunningBackup,
  "registerAction of app/dashboard/agents/register/actions.ts": () => ({
    ...{ did: fresh(), publicKey: publicKey() },
  }),
  "liftRejectionAction of app/dashboard/agents/actions.ts": async ({ owner, agent }) => {
    const rejected = { profileId: owner.profileId, agentDid: agent.did };
    return { rejectionId: await giveRejection(engine, rejected) };
  },
  "endReviewerAction of app/dashboard/settings/reviewers/actions.ts": async ({ owner, heir }) => {
    const given = { profileId: owner.profileId, userId: heir.userId, isAccepted: true };
    await engine.db.reviewer.deleteMany({ where: { profileId: owner.profileId } });
    return { reviewerId: await giveReviewer(engine, given) };
  },
  "answerInvitationAction of app/dashboard/settings/reviewers/actions.ts": async ({ owner }) => ({
    reviewerId: (await giveReviewing(engine, owner.userId, false)).reviewerId,
  }),
  "decideForOwnerAction of app/dashboard/settings/reviewers/actions.ts": ({ owner }) =>
    giveReviewing(engine, owner.userId),
  "endApprovingAction of app/dashboard/agents/[did]/approving/actions.ts": giveRuleTo,
  "undoApprovingAction of app/dashboard/agents/[did]/approving/actions.ts": giveRuleTo,
  "liftQuarantineAction of app/dashboard/agents/[did]/quarantine/actions.ts": async ({
    owner,
  }) => ({
    agentDid: await giveQuarantine(engine, owner.profileId),
  }),
  "shrinkAccessAction of app/dashboard/agents/actions.ts": async ({ owner, agent }) => ({
    take: `${await giveUnused(engine, owner.profileId, agent.did)} prof:health`,
  }),
  "undoImportAction of app/dashboard/memories/import/actions.ts": async ({ owner }) => ({
    batchId: await giveBatch(engine, owner.profileId),
  }),
  "addKeyAction of app/dashboard/settings/keys/actions.ts": () => ({ publicKey: publicKey() }),
  "revokeKeyAction of app/dashboard/settings/keys/actions.ts": ({ ids }) => ({
    keyId: ids.ownKeyId ?? "",
  }),
  "issueAction of app/dashboard/connections/actions.ts": ({ agent }) => ({
    ...{ agent: agent.did, intent: "issue" },
  }),
  "addProfileAction of app/dashboard/settings/profiles/actions.ts": () => ({ handle: fresh() }),
  "saveProfileAction of app/dashboard/settings/profile/actions.ts": () => ({
    seen: versionOf(common, [displayName, { member: "preferences", name: "colour" }]),
  }),
  "addPreferenceAction of app/dashboard/settings/profile/actions.ts": () => ({ name: "shade" }),
  "addValueAction of app/dashboard/settings/values/actions.ts": () => ({ name: "shade" }),
  "saveValuesAction of app/dashboard/settings/values/actions.ts": () => ({
    seen: versionOfValues(["Blue"]),
  }),
  "setPasswordAction of app/dashboard/settings/account/actions.ts": () => ({
    password: "a quiet lamp over the harbour",
  }),
  "deleteProfileAction of app/dashboard/settings/delete/actions.ts": ({ owner }) => ({
    word: owner.did.split(":").at(-1) ?? "",
  }),
  "deleteAccountAction of app/dashboard/settings/delete/actions.ts": (world) => ({
    word: email(world),
  }),
  "invite of app/admin/users/actions.ts": () => ({ email: newAccount().email }),
  "delete of app/admin/users/actions.ts": (world) => ({ typed: email(world) }),
  "delete of app/admin/agents/actions.ts": ({ agent }) => ({ typed: agent.did }),
  "registerAction of app/admin/agents/actions.ts": () => ({
    ...{ did: fresh(), publicKey: publicKey() },
  }),
  "addKey of app/admin/agents/actions.ts": () => ({ publicKey: publicKey() }),
  "transfer of app/admin/profiles/actions.ts": ({ heir }) => ({ email: heir.email }),
  "withdraw of app/admin/profiles/actions.ts": giveTransfer,
  "answerTransferAction of app/dashboard/notices/actions.ts": giveTransfer,
  "create of app/admin/profiles/actions.ts": ({ heir: { userId } }) => ({
    ...{ userId, handle: fresh() },
  }),
  "delete of app/admin/profiles/actions.ts": ({ owner }) => ({ typed: owner.did }),
  "reset of app/admin/settings/actions.ts": () => ({ name: "AGENT_REGISTRATION" }),
};

async function giveRuleTo({ owner, agent }: World): Promise<Fields> {
  return { ruleId: await giveRule(engine, { profileId: owner.profileId, agentDid: agent.did }) };
}

function newAccount() {
  const handle = fresh();
  return { name: "Carol", email: `${handle}@example.com`.toLowerCase(), handle };
}

async function giveTransfer({ owner: { profileId, userId }, heir }: World): Promise<Fields> {
  const effectiveAt = new Date(engine.now().getTime() + 86_400_000);
  const createdAt = engine.now();
  const transfer = { profileId, fromUserId: userId, toUserId: heir.userId, createdAt, effectiveAt };
  await engine.db.transfer.create({ data: transfer });
  return { requestedAt: createdAt.toISOString() };
}

async function giveMailbox({ owner: { userId } }: World): Promise<Fields> {
  const data = { userId, stopKey: randomBytes(16), confirmedAt: engine.now() };
  await engine.db.mailbox.create({ data });
  return {};
}

// The program that makes one would change things whenever it is done.
async function giveRunningBackup(): Promise<Fields> {
  const data = { name: "backup", startedAt: new Date() };
  await engine.db.job.createMany({ data, skipDuplicates: true });
  await engine.db.job.update({ where: { name: data.name }, data });
  return {};
}

async function giveFailedMail(): Promise<string> {
  const id = newId("msg");
  const at = { madeAt: engine.now(), dueAt: engine.now(), endedAt: engine.now() };
  const mail = { id, sink: "mail", recipient: "x@example.com", kind: "digest", body: {} } as const;
  await engine.db.delivery.create({ data: { ...mail, ...at, state: "given_up" } });
  return id;
}

async function giveLink(
  purpose: "invitation" | "password_reset" | "address",
  to: string,
  userId?: string,
): Promise<string> {
  const token = newId("link").padEnd(43, "x").slice(0, 43);
  const expiresAt = new Date(engine.now().getTime() + 3_600_000);
  await engine.db.oneTimeLink.create({
    data: {
      createdAt: engine.now(),
      tokenHash: hashSecretToken(token),
      purpose,
      userId,
      email: to,
      expiresAt,
    },
  });
  return token;
}

interface Ready {
  action: Action;
  cookie: string;
  sent: Fields;
}

/** A form that somebody is about to send, about things that are there. */
async function readyFor([name, fields, isAdmins]: Form, world: World): Promise<Ready> {
  const action = await actionNamed(name);
  const none = {
    decidedId: "prop_1",
    rejectionId: "rej_1",
    batchId: "imp_1",
    ruleId: "rule_1",
    ...{ reviewerId: "rvw_1", invitedId: "rvw_2", reviewingId: "rvw_3", forOwnerId: "prop_3" },
    shutOutDid: "did:prof:agent:local:x",
    unusedId: "pol_1",
    eventId: "evt_1",
    changeId: "req_1",
  };
  const at = { seen: world.memoryAt, shownAs: world.policyAt };
  const own = Object.fromEntries(filledIn(fields, { ...world.ids, ...none, ...at }));
  // One action of the admins does all that its field `intent` may name.
  const act = isAdmins && fields.intent ? name.replace(/^\w+/, fields.intent) : name;
  const sent = { ...own, ...(await more[act]?.(world)) };
  return { action, cookie: isAdmins ? admins : world.cookie, sent };
}

async function send({ action, cookie, sent }: Ready): Promise<string> {
  const body = formSent(action, Object.entries(sent));
  const { status, text } = await callAction(action, { gateway, cookie, body });
  const [, ok = "led on"] = /"ok":(true|false)/.exec(text) ?? [];
  return `${action.name}: ${status} ${ok}`;
}

function deedsOf(ready: Ready[]): Promise<Deed> {
  return deedOf(engine.pool, victim, () => Promise.all(ready.map(send)));
}

/** What becomes of all these forms with these fields besides their own, each in a world of its own. */
async function deeds(all: Form[], besides: Fields): Promise<Deed> {
  // What an admin has set is there for all.
  await engine.db.setting.deleteMany();
  const ready = await Promise.all(all.map(async (form) => readyFor(form, await mintWorld(engine))));
  return deedsOf(ready.map((one) => ({ ...one, sent: { ...besides, ...one.sent } })));
}

const files = [...new Set(forms.map(([name]) => name.split(" of ")[1] ?? ""))];
const refused = new Set<string>();

test.each(files)(
  "the forms of %s do with fields that are not theirs what they do without",
  async (file) => {
    const own = forms.filter(([name]) => name.endsWith(` of ${file}`));
    const honest = await deeds(own, {});
    for (const [, name = ""] of honest.answer.matchAll(/(\w+ of [^:]+): \d+ false/g))
      refused.add(name);
    expect(await deeds(own, stolen)).toEqual(honest);
  },
);

test("all but these do something, so that it would show what they take", () => {
  expect([...refused].sort()).toEqual([
    // There is no mail server.
    "addressAction of app/dashboard/settings/mail/actions.ts",
    "answerAction of app/dashboard/connect/[name]/actions.ts",
    "backupAction of app/admin/backups/actions.ts",
    "forgotAction of app/(auth)/actions.ts",
    "restoreAction of app/(auth)/actions.ts",
    "signInAction of app/(auth)/actions.ts",
    "undoAction of app/admin/settings/actions.ts",
    "undoAction of app/dashboard/undo/actions.ts",
    "unlinkAction of app/dashboard/settings/account/actions.ts",
  ]);
});

// What is about an account, a browser or an agent, whichever profile is shown.
const ofNoProfile =
  /\(auth\)|theme-action|app\/admin|settings\/(account|mail|profiles)|agents\/(register|\[did\]\/webhook)|dashboard\/notices|^(deleteAccount|chooseKeys|answerInvitation|decideForOwner)/;

test("a form that names another's profile as the one that it was shown for does nothing", async () => {
  const ofProfiles = forms.filter(([name]) => !ofNoProfile.test(name));
  expect(ofProfiles.length).toBeGreaterThan(30);
  const world = await mintWorld(engine);
  const ready = await Promise.all(ofProfiles.map((form) => readyFor(form, world)));
  const profile = victim.owner.did;
  const { changes, answer } = await deedsOf(
    ready.map((one) => ({ ...one, sent: { ...one.sent, profile } })),
  );
  expect(changes).toEqual([]);
  expect(answer).not.toContain("true");
});
