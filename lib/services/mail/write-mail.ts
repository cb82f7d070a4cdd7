import { z } from "zod";
import type { Db } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import { parseDid } from "@/lib/protocol/did";
import { withoutSecrets } from "@/lib/rules/guard/without-secrets";
import { waitingAt } from "../proposals/pending";
import { isWanted, type MailBody } from "./enqueue";
import type { Letter } from "./letter";
import {
  type AgentShown,
  accessRequestLetter,
  addressLetter,
  digestLetter,
  invitationLetter,
  newAgentLetter,
  resetLetter,
  securityLetter,
  webhookPausedLetter,
} from "./letters";
import { renewAddressLink, renewInvitation, renewResetLink } from "./mailed-links";
import { stopPathOf } from "./stop";

interface Waiting {
  recipient: string;
  kind: string;
  body: unknown;
}

interface Written {
  to: string;
  letter: Letter;
  origin: string;
  stopPath?: string;
}

type Need = Pick<Engine, "db" | "address" | "now">;

/** Writes a mail from what is in the database now; null where there is nothing to say any more. */
export async function writeMail(
  need: Need,
  { recipient, kind, body }: Waiting,
): Promise<Written | null> {
  const { db, address: origin } = need;
  const mail = { kind, ...z.record(z.string(), z.unknown()).parse(body) } as MailBody;
  if (recipient.includes("@")) {
    const letter = await linkLetter(need, recipient, mail);
    return letter && { to: recipient, letter, origin };
  }
  const user = await db.user.findUnique({
    where: { id: recipient, state: "active" },
    select: {
      email: true,
      mailbox: { select: { stopKey: true, contents: true, mutedAgents: true } },
    },
  });
  if (!user?.mailbox || !(await isStillWanted(db, recipient, mail))) return null;
  const letter = await userLetter(need, recipient, { mail, ...user.mailbox });
  if (letter === null) return null;
  const path = letter.stops && stopPathOf(letter.stops, user.mailbox.stopKey);
  return { to: user.email, letter, origin, stopPath: path };
}

/** The owner may have ended such mails while this one waited. */
async function isStillWanted(db: Db, userId: string, mail: MailBody): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT WHERE ${isWanted(userId, mail)}`;
  return rows.length > 0;
}

/** Links are made when the mail is: before, only their hashes would be worth keeping. */
async function linkLetter({ db, now }: Need, address: string, mail: MailBody) {
  const at = now();
  switch (mail.kind) {
    case "invitation": {
      const token = await renewInvitation(db, { userId: mail.userId, now: at });
      return token === null ? null : invitationLetter({ token });
    }
    case "reset": {
      const token = await renewResetLink(db, { email: address, now: at });
      return token === null ? null : resetLetter({ token });
    }
    case "address": {
      const token = await renewAddressLink(db, { userId: mail.userId, email: address, now: at });
      return token === null ? null : addressLetter({ token });
    }
    case "security":
      return securityLetter(mail.event);
    default:
      return null;
  }
}

/** What the owner has chosen. */
interface MailChoices {
  contents: boolean;
  mutedAgents: string[];
}

async function userLetter(
  need: Need,
  userId: string,
  { mail, ...choices }: { mail: MailBody } & MailChoices,
): Promise<Letter | null> {
  const { db } = need;
  switch (mail.kind) {
    case "access_request":
      return accessRequest(db, { userId, requestId: mail.requestId });
    case "new_agent": {
      const { profileId, agentDid } = mail;
      const profile = await db.profile.findUnique({ where: { id: profileId, ownerId: userId } });
      if (profile === null) return null;
      return newAgentLetter({
        agent: await agentShown(db, agentDid),
        profile: handleOf(profile.did),
      });
    }
    case "digest":
      return digest(need, userId, choices);
    case "webhook_paused":
      return webhookPausedLetter(await agentShown(db, mail.agentDid));
    case "security":
      return securityLetter(mail.event);
    default:
      return null;
  }
}

async function accessRequest(
  db: Db,
  { userId, requestId }: { userId: string; requestId: string },
): Promise<Letter | null> {
  const request = await db.consentRequest.findUnique({
    where: { id: requestId, status: "pending", profile: { ownerId: userId } },
    select: { agentDid: true, scopes: true, profile: { select: { did: true } } },
  });
  if (request === null) return null;
  const { agentDid, scopes, profile } = request;
  const agent = await agentShown(db, agentDid);
  return accessRequestLetter({
    agent,
    scopes: scopes.length,
    profile: handleOf(profile.did),
    requestId,
  });
}

const textsMax = 10;
const textLengthMax = 300;

async function digest(
  { db, now }: Need,
  userId: string,
  { contents, mutedAgents }: MailChoices,
): Promise<Letter | null> {
  const profile = { ownerId: userId, state: "active" } as const;
  const unmuted = { profile, agentDid: { notIn: mutedAgents } };
  const where = { ...unmuted, ...waitingAt(now()) };
  const [proposals, requests] = await Promise.all([
    db.proposal.count({ where }),
    db.consentRequest.count({ where: { ...unmuted, status: "pending" } }),
  ]);
  if (proposals + requests === 0) return null;
  const newest = contents
    ? await db.proposal.findMany({
        where,
        select: { content: true },
        orderBy: { proposedAt: "desc" },
        take: textsMax,
      })
    : [];
  const texts = newest.map(({ content }) => plain(withoutSecrets(content)).slice(0, textLengthMax));
  return digestLetter({ proposals, requests, texts });
}

async function agentShown(db: Db, did: string): Promise<AgentShown> {
  const agent = await db.agent.findUnique({ where: { did }, select: { name: true } });
  return { did, name: plain(agent?.name ?? handleOf(did)) };
}

function handleOf(did: string): string {
  return parseDid(did)?.name ?? did;
}

/** Without what moves, hides or breaks text. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
