import type { Db } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import { changeByClaim, claimOf } from "../authority";
import type { Ctx } from "../context";
import { changeProfile, withProfile } from "../profile-gate";
import { isWaiting, waitingAt } from "../proposals/pending";
import { connectionOf } from "../receipts/ask-owner";

/** What an owner asked about a request or a proposal, and what its agent answered. Both once. */
export interface Inquiry {
  question: string;
  askedAt: Date;
  answer: string | null;
  answeredAt: Date | null;
}

export const questionLengthMax = 300;
export const answerLengthMax = 500;

const columns = { question: true, askedAt: true, answer: true, answeredAt: true } as const;

export function findInquiry(db: Db, subjectId: string): Promise<Inquiry | null> {
  return db.inquiry.findUnique({ where: { subjectId }, select: columns });
}

/** A request or a proposal, as its owner asks about it. */
export interface InquirySubject {
  id: string;
  agent: NamedAgent;
  isWaiting: boolean;
  /** Of a proposal. */
  content: string | null;
  context: string | null;
  /** Of an access request. */
  scopes: Scope[];
  inquiry: Inquiry | null;
}

interface About {
  did: string;
  id: string;
}

/** Null where this profile has nothing of that id. */
export async function findInquirySubject(
  ctx: Ctx,
  { did, id }: About,
): Promise<InquirySubject | null> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const [row] = await ctx.db.$queryRaw<
      (Omit<InquirySubject, "inquiry"> & { agentDid: Did })[]
    >`SELECT r.id, ${namedAgent("r")} AS agent, r."isWaiting", r.content, r.context, r.scopes FROM (
        SELECT p.id, p."agentDid", ${isWaiting(ctx.now)} AS "isWaiting", p.content, p.context, '{}'::text[] AS scopes
        FROM "Proposal" p WHERE p.id = ${id} AND p."profileId" = ${profile.id}
        UNION ALL
        SELECT c.id, c."agentDid", c.status = 'pending', NULL, NULL, c.scopes::text[]
        FROM "ConsentRequest" c WHERE c.id = ${id} AND c."profileId" = ${profile.id}
      ) r LEFT JOIN "Agent" a ON a.did = r."agentDid"`;
    return row === undefined ? null : { ...row, inquiry: await findInquiry(ctx.db, id) };
  });
}

/** The owner asks, once, as long as it waits for them. */
export async function askWhy(
  ctx: Ctx,
  { did, id, question }: About & { question: string },
): Promise<void> {
  const subject = await findInquirySubject(ctx, { did, id });
  if (subject === null) throw notFound("request");
  const { did: agentDid } = subject.agent;
  await changeProfile(ctx, { verb: "askWhy", did }, async ({ tx, profile, record }) => {
    const profileId = profile.id;
    const proposals = { id, profileId, ...waitingAt(ctx.now) };
    const waiting =
      (await tx.proposal.count({ where: proposals })) +
      (await tx.consentRequest.count({ where: { id, profileId, status: "pending" } }));
    if (waiting === 0) throw wrong("question", "It was decided in the meantime.");
    const { count } = await tx.inquiry.createMany({
      data: [{ subjectId: id, profileId, agentDid, question, askedAt: ctx.now }],
      skipDuplicates: true,
    });
    if (count === 0) throw wrong("question", "You have asked about this already.");
    await record({ subjectId: id, detail: { agentDid } });
  });
}

/** The agent answers, once, what it was asked about its own request or proposal. */
export async function answerWhy(
  ctx: Ctx,
  { did, id, answer }: About & { answer: string },
): Promise<Inquiry> {
  return withProfile(ctx, { verb: "answerWhy", did }, async (open) => {
    const { id: profileId, ownerId } = open.profile;
    const claim = claimOf(ctx, open.profile, []);
    const own = { subjectId: id, profileId, agentDid: open.facts?.agent.did ?? "" };
    return changeByClaim(ctx, { ownerId, claim }, async (tx) => {
      const ofOther = { id, tokenId: { not: connectionOf(ctx.caller) } };
      if ((await tx.consentRequest.count({ where: ofOther })) > 0) throw notFound("question");
      const [inquiry] = await tx.inquiry.updateManyAndReturn({
        where: { ...own, answer: null },
        data: { answer, answeredAt: ctx.now },
        select: columns,
      });
      if (inquiry !== undefined) {
        await open.record({ subjectId: id }, tx);
        return inquiry;
      }
      if ((await tx.inquiry.count({ where: own })) === 0) throw notFound("question");
      throw wrong("answer", "It was answered already; the first answer stays.");
    });
  });
}

function wrong(path: string, why: string) {
  return invalidRequest([{ path, message: `${why} Nothing was changed.` }]);
}
