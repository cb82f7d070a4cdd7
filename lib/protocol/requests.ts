import { z } from "zod";
import type { Asking, Body, Params, Query } from "./endpoints";
import { invalidRequest, issuesIn } from "./errors";
import { Confidence, Content, ProposalStatus, Purpose, Reason, text } from "./resources";
import { Category, Scope, scopesPerRequestMax } from "./scope";
import type { QueryPair } from "./signature";

const limitMax = 200;
// No profile has this many items, and PostgreSQL's integers end here.
const offsetMax = 2_147_483_647;

// Protocol 1: only the service can tell that a well-formed DID names nobody.
export const ProfileParams = z.object({
  did: z
    .string()
    .regex(/^did:prof:/, "Must be a DID of this protocol: did:prof:….")
    .meta({ description: "DID of the profile's owner.", examples: ["did:prof:user:local:alice"] }),
});
export const ProposalParams = ProfileParams.extend({
  proposalId: z
    .string()
    .meta({ description: "prop_<id>", examples: ["prop_8uGe2LwF5aTjC0iXo3MqSk"] }),
});

export const Empty = z.object({});

const Scopes = z
  .array(Scope)
  .min(1)
  .max(scopesPerRequestMax)
  .overwrite(unique)
  .describe("Scopes asked for.");

export const ProfileQuery = z.object({
  scopes: single()
    .transform((list) => list.split(","))
    .pipe(Scopes)
    .optional()
    .describe("Comma-separated scopes; without them, all that the policies show."),
});

export const AccessRequest = z.object({ scopes: Scopes, purpose: Purpose }).meta({
  examples: [
    {
      scopes: ["prof:preferences", "prof:professional.*"],
      purpose: { type: "personalization", legalBasis: "consent", retention: "session_only" },
    },
  ],
});
export type AccessRequest = z.output<typeof AccessRequest>;

export const MemoriesQuery = z.object({
  category: single().pipe(Category).optional().describe("This category and everything below it."),
  limit: limit(50),
  offset: offset(),
});

export const ProposalRequest = z
  .object({
    content: Content,
    category: Category,
    confidence: Confidence.default(0.7),
    context: text({ max: 1_000 }).optional().describe("Why the agent proposes it."),
  })
  .meta({
    examples: [
      {
        content: "Prefers window seats on long flights.",
        category: "prof:preferences.travel",
        confidence: 0.9,
        context: "Chosen on the last three bookings.",
      },
    ],
  });
export type ProposalRequest = z.output<typeof ProposalRequest>;

export const ProposalsQuery = z.object({
  status: single().pipe(ProposalStatus).optional().describe("Only proposals in this state."),
  limit: limit(100),
  offset: offset(),
});

export const ReviewRequest = z
  .object({
    action: z.enum(["approve", "reject"]),
    editedContent: Content.optional().describe("Replaces the content; with approve only."),
    reason: Reason.optional(),
  })
  .refine(({ action, editedContent }) => action === "approve" || editedContent === undefined, {
    path: ["editedContent"],
    message: "Goes with action approve only.",
  })
  .meta({ examples: [{ action: "approve" }, { action: "reject", reason: "Not true any more." }] });
export type ReviewRequest = z.output<typeof ReviewRequest>;

type Sent = { params: Record<string, string>; query: readonly QueryPair[]; body: unknown };

/** Everything that an endpoint takes, checked at once, so that the caller learns every issue. */
export function parseRequest<E extends Asking>(endpoint: E, sent: Sent) {
  const params = endpoint.params.safeParse(sent.params);
  const query = endpoint.query.safeParse(byName(sent.query));
  const body = (endpoint.body ?? ignored).safeParse(sent.body);
  if (params.success && query.success && body.success) {
    return { params: params.data, query: query.data, body: body.data } as {
      params: Params<E>;
      query: Query<E>;
      body: Body<E>;
    };
  }
  throw invalidRequest([
    ...(params.error ? issuesIn("path", params.error) : []),
    ...(query.error ? issuesIn("query", query.error) : []),
    ...(body.error ? issuesIn("body", body.error) : []),
  ]);
}

const ignored = z.unknown().transform(() => undefined);

// A name that comes twice stays a list, which no parameter accepts.
function byName(pairs: readonly QueryPair[]): Record<string, unknown> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const earlier = values.get(name);
    if (earlier) earlier.push(value);
    else values.set(name, [value]);
  }
  return Object.fromEntries(
    Array.from(values, ([name, all]) => [name, all.length === 1 ? all[0] : all]),
  );
}

/** A parameter of a query, which may come once. */
export function single() {
  return z.string("Must be given once.");
}

function wholeNumber() {
  return single().regex(/^(0|[1-9]\d*)$/, "Must be a whole number, without leading zeros.");
}

// Protocol 6: more than the most is clamped, not refused.
export function limit(byDefault: number) {
  return wholeNumber()
    .transform((digits) => Math.min(Number(digits), limitMax))
    .pipe(z.int().min(1).max(limitMax))
    .default(byDefault)
    .describe(
      `Most items to return; more than ${limitMax} counts as ${limitMax}. A page ends earlier where its contents would pass 1 MB.`,
    );
}

function offset() {
  return wholeNumber()
    .transform((digits) => Math.min(Number(digits), offsetMax))
    .pipe(z.int().min(0).max(offsetMax))
    .default(0)
    .describe("How many items to skip: for the next page, this offset plus meta.count.");
}

function unique<T>(list: T[]): T[] {
  return [...new Set(list)];
}
