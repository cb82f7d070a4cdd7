import { z } from "zod";
import { Did } from "./did";
import { consentStates, type ErrorCode, errorTable } from "./errors";
import { Category, deniedScopesMax, Scope } from "./scope";

export const Timestamp = z.iso
  .datetime()
  .meta({ description: "ISO 8601, UTC.", examples: ["2030-01-31T12:00:00.000Z"] });

/** Free text, cut of surrounding white space; PostgreSQL cannot store U+0000 or half a character. */
export function text({ min = 0, max }: { min?: number; max: number }) {
  return z
    .string()
    .trim()
    .refine(isStorable, "Must not hold U+0000 or a lone surrogate.")
    .refine(
      (value) => isLengthWithin({ value, min, max }),
      `Must have ${min} to ${max} characters, white space around it not counted.`,
    )
    .meta({ minLength: min, maxLength: max });
}

export const Content = text({ min: 1, max: 10_000 }).describe("Text of the memory.");

export const Reason = text({ max: 500 }).describe("Why; the proposing agent can read it.");

export const Confidence = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: "How sure the agent is, from 0 to 1.", examples: [0.9] });

// Protocol 6: open vocabularies; these are the words that the dashboard can explain.
export const knownPurposeTypes = [
  "personalization",
  "recommendation",
  "context_enrichment",
  "analysis",
  "communication",
  "service_delivery",
  "support",
  "research",
  "legal_compliance",
  "other",
] as const;

/** The six of GDPR, Article 6(1). */
export const knownLegalBases = [
  "consent",
  "contract",
  "legal_obligation",
  "vital_interests",
  "public_task",
  "legitimate_interests",
] as const;

/** From the shortest to the longest. */
export const knownRetentions = ["session_only", "24h", "7d", "30d", "1y", "indefinite"] as const;

/** Protocol 5: an unknown word is within itself only. */
export function isRetentionWithin(retention: string | undefined, longest: string): boolean {
  const ranks: readonly string[] = knownRetentions;
  const requested = ranks.indexOf(retention ?? "");
  return retention === longest || (requested >= 0 && requested <= ranks.indexOf(longest));
}

// The known words of Protocol 6 ("24h") begin with a digit.
export const Retention = word(/^[a-z0-9][a-z0-9_]{0,63}$/, knownRetentions);

export const Purpose = z
  .object({
    type: word(/^[a-z][a-z0-9_]{0,63}$/, knownPurposeTypes).describe("What the access is for."),
    description: text({ max: 500 }).optional().describe("The purpose in the agent's own words."),
    legalBasis: word(/^[a-z][a-z0-9_]{0,63}$/, knownLegalBases)
      .optional()
      .describe("Ground on which the data is processed."),
    retention: Retention.optional().describe("How long the agent keeps what it reads."),
  })
  .describe("Why an agent asks for access. Words outside the known ones are let through.");
export type Purpose = z.output<typeof Purpose>;

export const AccessReceipt = z
  .object({
    receiptId: z
      .string()
      .meta({ description: "rcpt_<id>", examples: ["rcpt_1vR7mYc9QpKd4sXhJ6tNzB"] }),
    userDid: Did,
    agentDid: Did,
    grantedScopes: z.array(Scope),
    deniedScopes: z
      .array(Scope)
      .describe(
        `Scopes that are not granted, and what is cut out of those that are; at most ${deniedScopesMax}.`,
      ),
    purpose: Purpose,
    grantedAt: Timestamp,
    expiresAt: Timestamp,
  })
  .describe("What an access request granted and denied, and until when.");
export type AccessReceipt = z.output<typeof AccessReceipt>;

export const ProposalStatus = z.enum(["pending", "approved", "rejected"]);
export type ProposalStatus = z.output<typeof ProposalStatus>;

const ProposalId = z
  .string()
  .meta({ description: "prop_<id>", examples: ["prop_8uGe2LwF5aTjC0iXo3MqSk"] });
const MemoryId = z.string().meta({
  description: "Id of the memory that an approval made.",
  examples: ["mem_5kQx0ZbT3nVfW8yLr2HcAd"],
});

export const MemoryProposal = z
  .object({
    id: ProposalId,
    userDid: Did,
    agentDid: Did.describe("DID of the proposing agent."),
    content: z.string().describe("Proposed memory text."),
    category: Category,
    confidence: Confidence,
    context: z.string().optional().describe("Why the agent proposes it."),
    status: ProposalStatus,
    proposedAt: Timestamp,
    expiresAt: Timestamp,
    reviewedAt: Timestamp.optional(),
    reason: z
      .string()
      .optional()
      .describe("The reviewer's words, `expired`, or `withdrawn` by its agent."),
    memoryId: MemoryId.optional(),
  })
  .describe("A memory that an agent proposed, and what became of it.");
export type MemoryProposal = z.output<typeof MemoryProposal>;

export const ProposedMemory = z
  .object({ proposalId: ProposalId, status: z.literal("pending"), expiresAt: Timestamp })
  .describe("The proposal that now waits for the owner.");
export type ProposedMemory = z.output<typeof ProposedMemory>;

export const ReviewedProposal = z
  .discriminatedUnion("status", [
    z.object({ proposalId: ProposalId, status: z.literal("approved"), memoryId: MemoryId }),
    z.object({ proposalId: ProposalId, status: z.literal("rejected") }),
  ])
  .describe("The outcome of a review.");
export type ReviewedProposal = z.output<typeof ReviewedProposal>;

export const Meta = z
  .object({
    requestId: z
      .string()
      .meta({ description: "req_<id>", examples: ["req_2bNf6WkZ9rDxV4eUy7GsHt"] }),
    timestamp: Timestamp,
  })
  .describe("About this answer.");
export type Meta = z.output<typeof Meta>;

const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];

export const ErrorBody = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string().describe("What happened and what to do, for a person."),
      details: z
        .looseObject({
          deniedScopes: z.array(z.string()).optional().describe("PROF004: what was refused."),
          state: z
            .string()
            .meta({ enum: consentStates })
            .optional()
            .describe(
              "PROF004: `denied` by a rule or the owner, `waiting` for the owner's answer, or `ask`: request access first.",
            ),
          consentRequestId: z.string().optional().describe("PROF004: the request that waits."),
          consentUrl: z.string().optional().describe("PROF004: where the owner answers it."),
        })
        .optional(),
    }),
    meta: Meta,
  })
  .describe("The answer to a request that failed.");
export type ErrorBody = z.output<typeof ErrorBody>;

export const AccessFollowed = z.object({
  id: z.string().meta({ examples: ["creq_8uGe2LwF5aTjC0iXo3MqSk"] }),
  state: z.enum(["waiting", "granted", "denied", "expired", "ended"]),
});

/** Spec, Common response envelope. */
export function envelope<D extends z.ZodType, M extends z.ZodRawShape>(
  data: D,
  meta: z.ZodObject<M>,
) {
  return z.object({ success: z.literal(true), data, meta: Meta.extend(meta.shape) });
}

/** Whether PostgreSQL can store it as text. */
export function isStorable(value: string): boolean {
  return !value.includes("\u0000") && !/\p{Surrogate}/u.test(value);
}

// Counts characters like PostgreSQL and JSON Schema; UTF-16 units would halve the room for emoji.
function isLengthWithin({ value, min, max }: { value: string; min: number; max: number }): boolean {
  const length = Array.from(value).length;
  return length >= min && length <= max;
}

function word(pattern: RegExp, known: readonly string[]) {
  return z
    .string()
    .regex(pattern, "Must be a word of lower-case letters, digits and underscores, at most 64.")
    .meta({ examples: [...known] });
}
