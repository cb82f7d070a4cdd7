import type { Tx } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import { resourceOf } from "@/lib/oauth/metadata";
import { redirectTo } from "@/lib/oauth/redirects";
import { forbidden, invalidRequest } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import { type ConnectionChoice, connectionExpiresAt } from "@/lib/rules/access";
import { tokenPolicy } from "@/lib/rules/consent";
import type { Permission } from "@/lib/rules/facts";
import { refuseOthers } from "../access/consents";
import { hashDid } from "../accounts/new-profile";
import { createSecretToken, hashSecretToken } from "../accounts/secret-token";
import type { RegistrationMode } from "../agents/register";
import type { Ctx } from "../context";
import { warnUser } from "../mail/enqueue";
import { insertPolicy } from "../policies/policies";
import { changeProfile, type OpenChange } from "../profile-gate";
import { refuseBeyondCap } from "../tokens/tokens";
import { findAuthorization, type WaitingAuthorization } from "./authorizations";

export interface ConnectInput {
  did: string;
  /** What the page of the question is called. */
  name: string;
  /** What was switched on; none is a refusal. */
  scopes: readonly Scope[];
  proposes: boolean;
  choice: ConnectionChoice;
  /** Of the browser that consented, in words: to tell one installation from another. */
  label: string | null;
  mode: RegistrationMode;
}

const codeSeconds = 60;

/**
 * The owner's answer to a client, given once: where the browser goes on to, with a code or the refusal. A grant is
 * a token with its rule, as one that is issued, whose secrets the client gets for its code.
 */
export async function answerClient(ctx: Ctx, input: ConnectInput): Promise<{ redirectTo: string }> {
  const waiting = await findAuthorization(ctx, input.name);
  if (waiting === null) throw answered();
  const { did, scopes, choice } = input;
  const { agentDid } = waiting.client;
  const lasting = scopes.length > 0 && choice !== "1d";
  const demands = { scopes, readsAgents: scopes.length > 0 ? [agentDid] : [], lasting };
  return changeProfile(ctx, { verb: "editTokens", did, ...demands }, async (open) => {
    const { idHash, ...question } = await claim(open.tx, { ctx, name: input.name });
    if (scopes.length === 0) {
      await open.record({ denied: waiting.scopes, detail: { agentDid, connects: true } });
      return { redirectTo: redirectTo(question, { error: "access_denied" }) };
    }
    const tokenId = await connect({ ctx, open, input, waiting });
    const { token: code, tokenHash: codeHash } = createSecretToken();
    const codeExpiresAt = new Date(ctx.now.getTime() + codeSeconds * 1_000);
    await open.tx.authorization.update({
      where: { idHash },
      data: { tokenId, codeHash, codeExpiresAt },
      select: { tokenId: true },
    });
    return { redirectTo: redirectTo(question, { code }) };
  });
}

// One update decides which of two tabs was first.
async function claim(tx: Tx, { ctx: { now }, name }: { ctx: Ctx; name: string }) {
  const [claimed] = await tx.authorization.updateManyAndReturn({
    where: { idHash: hashSecretToken(name), decidedAt: null, expiresAt: { gt: now } },
    data: { decidedAt: now },
    select: { idHash: true, redirectUri: true, state: true, issuer: true },
  });
  if (claimed === undefined) throw answered();
  return claimed;
}

interface Answering {
  ctx: Ctx;
  open: OpenChange;
  input: ConnectInput;
  waiting: WaitingAuthorization;
}

/** Returns the id of the token. */
async function connect({ ctx, open, input, waiting }: Answering): Promise<string> {
  const { tx, profile } = open;
  const { now } = ctx;
  const { client } = waiting;
  const { scopes } = input;
  refuseOthers(waiting.scopes, scopes);
  const profileId = profile.id;
  await admitAgent(tx, { ctx, client, mode: input.mode });
  await refuseBeyondCap(tx, { profileId, now, more: 1 });
  const proposes = waiting.proposes && input.proposes;
  const permissions: Permission[] = proposes ? ["read", "propose"] : ["read"];
  const expiresAt = connectionExpiresAt(input.choice, now);
  const { id: clientId, agentDid } = client;
  const policy = tokenPolicy(agentDid, { scopes, permissions, expiresAt });
  const policyId = await insertPolicy(tx, { profileId, now, policy });
  const id = newId("tok");
  const given = { profileId, agentDid, scopes: [...scopes], permissions, policyId };
  const { label } = input;
  const resource = resourceOf(waiting.issuer);
  await tx.connectionToken.create({
    data: { id, ...given, clientId, resource, label, createdAt: now, expiresAt },
    select: { id: true },
  });
  const detail = { agentDid, permissions, expiresAt, connects: true };
  await open.record({ granted: scopes, subjectId: id, detail });
  await warnUser(tx, { now, userId: profile.ownerId, event: "client_connected" });
  return id;
}

interface Admitting {
  ctx: Ctx;
  client: WaitingAuthorization["client"];
  mode: RegistrationMode;
}

// An owner's consent makes the client's agent active. It has no key, so it acts by tokens alone.
async function admitAgent(tx: Tx, { ctx: { now }, client, mode }: Admitting): Promise<void> {
  const { agentDid: did, name } = client;
  const known = await tx.agent.findUnique({
    where: { did },
    select: { state: true, origin: true },
  });
  if (known !== null && known.origin !== "client") {
    throw forbidden("An agent with a key has the name of this program. Tell an admin.");
  }
  if (known?.state === "active") return;
  if (known !== null) throw forbidden("An admin of this gateway has suspended this agent.");
  if (mode === "closed") throw forbidden("An admin of this gateway lets no new programs in.");
  const isRetired = (await tx.retiredDid.count({ where: { didHash: hashDid(did) } })) > 0;
  if (isRetired) throw forbidden("An admin of this gateway has removed this agent.");
  await tx.agent.createMany({
    data: { did, name, state: "active", origin: "client", createdAt: now, updatedAt: now },
    skipDuplicates: true,
  });
}

function answered() {
  const message =
    "This question was answered already, or it waited for more than 15 minutes. Nothing was changed; begin again in your program.";
  return invalidRequest([{ path: "name", message }]);
}
