import { z } from "zod";
import { ProfileType } from "../answers/profile";
import { Did } from "../did";
import { Confidence, Content, Reason, Timestamp, text } from "../resources";
import { Category, deniedScopesMax, Scope } from "../scope";
import { lastOfEach, newestPending } from "./merge-items";

// A whole profile as one file, for export and import.

export const archiveVersion = 1;

// Older files may have capital letters in categories and scopes.
const lowerCase = z.string().max(128).toLowerCase();
const ArchivedScope = lowerCase.pipe(Scope);
const ArchivedCategory = lowerCase.pipe(Category);
const scopes = scopesUpTo(50);
const word = z.string().max(64);
const permissions = z.array(z.enum(["read", "propose"])).max(2);
const instant = Timestamp.nullable();

function scopesUpTo(max: number) {
  return z
    .array(ArchivedScope)
    .max(max)
    .overwrite((all) => [...new Set(all)]);
}

function id(prefix: string) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,27}$`), `Must be an id: ${prefix}_…`);
}

export const ArchivedValue = z.object({
  category: ArchivedCategory,
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  value: z.unknown(),
});

export const ArchivedRevision = z
  .object({
    category: ArchivedCategory,
    content: Content,
    confidence: Confidence,
    cause: z.enum(["created", "edited", "moved", "replaced", "archived", "deleted", "restored"]),
    archivedAt: instant,
    createdAt: Timestamp,
  })
  .describe("What the memory was before a change.");

export const ArchivedMemory = z.object({
  id: id("mem"),
  category: ArchivedCategory,
  content: Content,
  confidence: Confidence,
  source: z.enum(["owner", "agent", "imported"]),
  agentDid: Did.nullable().describe("The agent that proposed it."),
  proposalId: id("prop").nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  archivedAt: instant,
  deletedAt: instant.describe("When it was deleted, while it can be restored."),
  revisions: z.array(ArchivedRevision).max(1_000),
});

// Older files do not have this member, nor `client`.
const inquiry = z
  .object({
    question: text({ min: 1, max: 300 }),
    askedAt: Timestamp,
    answer: text({ min: 1, max: 500 }).nullable(),
    answeredAt: instant,
  })
  .nullable()
  .default(null)
  .describe("What the owner asked about it, and what the agent answered.");
export type ArchivedInquiry = NonNullable<z.output<typeof inquiry>>;

export const ArchivedProposal = z.object({
  id: id("prop"),
  agentDid: Did,
  content: Content,
  category: ArchivedCategory,
  confidence: Confidence,
  context: text({ max: 1_000 }).nullable(),
  status: z.enum(["pending", "approved", "rejected"]),
  proposedAt: Timestamp,
  expiresAt: Timestamp,
  reviewedAt: instant,
  reviewedBy: Did.nullable(),
  reason: Reason.nullable(),
  inquiry,
});

export const ArchivedPolicy = z.object({
  id: id("pol"),
  agentPattern: z.string().max(144),
  verifiedOnly: z.boolean(),
  allow: scopes,
  deny: scopes,
  permissions,
  purposes: z.array(word).max(50),
  maxRetention: word.nullable(),
  receiptSeconds: z.int().min(1).max(86_400).nullable(),
  enabled: z.boolean(),
  expiresAt: instant,
  origin: z.enum(["owner", "template", "consent", "token"]),
  consentRequestId: id("creq").nullable(),
  createdAt: Timestamp,
});

const purpose = {
  purposeType: word,
  purposeDescription: text({ max: 500 }).nullable(),
  legalBasis: word.nullable(),
  retention: word.nullable(),
};

export const ArchivedConsentRequest = z.object({
  id: id("creq"),
  agentDid: Did,
  scopes: scopes.min(1),
  ...purpose,
  status: z.enum(["pending", "granted", "denied"]),
  grantedScopes: scopes,
  timesAsked: z.int().min(1).max(2_147_483_647),
  requestedAt: Timestamp,
  decidedAt: instant,
  inquiry,
});

export const ArchivedReceipt = z.object({
  id: id("rcpt"),
  agentDid: Did,
  grantedScopes: scopes.min(1),
  deniedScopes: scopesUpTo(deniedScopesMax),
  ...purpose,
  grantedAt: Timestamp,
  expiresAt: Timestamp,
  revokedAt: instant,
});

const client = z
  .object({
    id: z.string().max(512).describe("Starts with oauth-, or is the address of its document."),
    name: z.string().max(100).describe("The name that it gives itself."),
    redirects: z
      .array(z.string().max(2_000))
      .max(10)
      .describe("Where the browser returns to it: origins, and schemes of its own."),
  })
  .nullable()
  .default(null)
  .describe("The program that was connected; null for a token that the owner issued.");

export const ArchivedToken = z
  .object({
    id: id("tok"),
    agentDid: Did,
    label: z.string().max(100).nullable(),
    lastFour: z.string().max(4).nullable(),
    scopes,
    permissions,
    createdAt: Timestamp,
    expiresAt: Timestamp,
    lastUsedAt: instant,
    revokedAt: instant,
    client,
  })
  .describe("What is known of a connection; never its tokens.");

export const ArchivedKey = z.object({
  id: id("key"),
  publicKey: z.string().max(64).describe("32 bytes of an Ed25519 public key, in base64."),
  label: z.string().max(100).nullable(),
  createdAt: Timestamp,
  revokedAt: instant,
});

export const ArchivedEvent = z
  .looseObject({
    id: id("evt"),
    at: Timestamp,
    actor: word,
    actorId: z.string().max(144),
    verb: word,
    outcome: z.string().max(16),
    position: z.string().max(20).nullable().describe("Its place in the chain, once sealed."),
    hash: z.string().max(64).nullable().describe("SHA-256 in hexadecimal, once sealed."),
  })
  .describe("One event of the access log, with all its details.");

export const ProfileArchive = z
  .object({
    format: z.literal("profile-archive"),
    version: z.literal(archiveVersion),
    exportedAt: Timestamp,
    profile: z.object({
      did: Did,
      profileType: ProfileType,
      version: z.string().max(16),
      common: z.record(z.string(), z.unknown()),
      createdAt: Timestamp,
    }),
    namedValues: z.array(ArchivedValue).max(500).overwrite(lastOfEach),
    memories: z.array(ArchivedMemory).max(50_000),
    proposals: z
      .array(ArchivedProposal)
      .max(100_000)
      .overwrite(newestPending("proposedAt", ["agentDid", "category", "content"])),
    policies: z.array(ArchivedPolicy).max(1_000),
    // An agent may have one for each of its connections, which are not imported.
    consentRequests: z
      .array(ArchivedConsentRequest)
      .max(50_000)
      .overwrite(newestPending("requestedAt", ["agentDid", "purposeType"])),
    receipts: z.array(ArchivedReceipt).max(200_000),
    tokens: z.array(ArchivedToken).max(10_000),
    keys: z.array(ArchivedKey).max(10_000),
    events: z.array(ArchivedEvent).max(1_000_000),
  })
  .describe("A whole profile, as the owner exports it.");
export type ProfileArchive = z.output<typeof ProfileArchive>;

/** The lists of an archive, in the order in which they are written. */
export const archiveLists = [
  "namedValues",
  "memories",
  "proposals",
  "policies",
  "consentRequests",
  "receipts",
  "tokens",
  "keys",
  "events",
] as const;
export type ArchiveList = (typeof archiveLists)[number];
