import type { MemoriesByCategory, Memory } from "@/lib/protocol/answers/profile";
import { endpoints } from "@/lib/protocol/endpoints";
import {
  type Category,
  commonMemberScope,
  type Scope,
  sensitiveCategories,
} from "@/lib/protocol/scope";
import { NotRun } from "./check";
import { refused, succeeded } from "./expect";
import type { CallerName, Kit, Reply } from "./kit";

// What more than one check has to know of the gateway; each is asked for once in a run.

export function profilePath({ options }: Kit, rest = "", did: string = options.userDid): string {
  return `/prof/v1/profile/${encodeURIComponent(did)}${rest}`;
}

/** A DID that no gateway has minted. */
export function unknownDid({ run }: Kit): string {
  return `did:prof:user:local:nobody-${run}`;
}

/** For requests that fail before anybody looks for the proposal. */
export const noProposal = "prop_0000000000000000000000";

export function reviewPath(kit: Kit, proposalId: string = noProposal): string {
  return profilePath(kit, `/proposals/${proposalId}/review`);
}

export const agentView = once((kit) => viewOf(kit, "agent"));
export const ownerView = once((kit) => viewOf(kit, "user"));

async function viewOf(kit: Kit, as: CallerName) {
  const reply = await kit.call({ as, target: profilePath(kit) });
  return succeeded(reply, endpoints.getProfile, 200).data;
}

export type ScopeAnswers = { granted: Scope[]; refused: Scope[]; replies: Map<Scope, Reply> };

/** Which of a handful of scopes the agent may read, asked one by one. */
export const scopeAnswers = once(async (kit): Promise<ScopeAnswers> => {
  const { common, memories } = await agentView(kit);
  const seen = [
    ...Object.keys(memories),
    ...Object.keys(common).map((name) => commonMemberScope(name)),
  ];
  const owned = kit.options.userKey === null ? [] : Object.keys((await ownerView(kit)).memories);
  const hidden = owned.filter((category) => !(category in memories));
  const input = [...seen.slice(0, 4), ...hidden.slice(0, 4), ...sensitiveCategories.slice(0, 2)];
  const answers: ScopeAnswers = { granted: [], refused: [], replies: new Map() };
  for (const scope of new Set(input)) {
    const reply = await kit.call({ target: profilePath(kit, `?scopes=${scope}`) });
    answers.replies.set(scope, reply);
    const { meta } = reply.status === 200 ? succeeded(reply, endpoints.getProfile) : { meta: {} };
    if (reply.status === 403) answers.refused.push(scope);
    else if (!("deniedScopes" in meta)) answers.granted.push(scope);
  }
  return answers;
});

export async function grantedScope(kit: Kit): Promise<Scope> {
  const [scope] = (await scopeAnswers(kit)).granted;
  if (scope === undefined) {
    throw new NotRun("this agent reads nothing of this profile: grant it a scope");
  }
  return scope;
}

export async function refusedScope(kit: Kit): Promise<Scope> {
  const [scope] = (await scopeAnswers(kit)).refused;
  if (scope === undefined) {
    throw new NotRun("this agent may read whatever was tried: keep a scope from it");
  }
  return scope;
}

/** A proposal of the agent's, made by this run; null `context` leaves it out. */
export async function propose(kit: Kit, what: string, more: object = {}) {
  const reply = await kit.call({
    method: "POST",
    target: profilePath(kit, "/memories/propose"),
    body: { content: contentOf(kit, what), category: kit.options.category, ...more },
  });
  if (reply.status === 403) {
    refused(reply, "PROF004");
    throw new NotRun(`this agent may not propose in ${kit.options.category}: see --category`);
  }
  return { reply, ...succeeded(reply, endpoints.proposeMemory) };
}

export function contentOf({ run }: Kit, what: string): string {
  return `Conformance run ${run}: ${what}.`;
}

/** The agent's first proposal, with everything a proposal can carry. */
export const firstProposal = once((kit) =>
  propose(kit, "first", { confidence: 0.9, context: "To see how the gateway answers." }),
);

export async function proposalsOf(kit: Kit, as: CallerName, query = "") {
  const reply = await kit.call({ as, target: profilePath(kit, `/proposals${query}`) });
  return succeeded(reply, endpoints.listProposals, 200);
}

export async function memoriesOf(kit: Kit, as: CallerName, query = "") {
  const reply = await kit.call({ as, target: profilePath(kit, `/memories${query}`) });
  return succeeded(reply, endpoints.listMemories, 200);
}

/** The records of a listing, whether they stand alone or beside named values. */
export function recordsIn(memories: MemoriesByCategory): (Memory & { under: Category })[] {
  return Object.entries(memories).flatMap(([under, value]) => {
    const records: unknown = Array.isArray(value) ? value : value.memories;
    return Array.isArray(records) ? records.map((record: Memory) => ({ ...record, under })) : [];
  });
}

export function namedValuesIn(memories: MemoriesByCategory): string[] {
  return Object.entries(memories).flatMap(([under, value]) =>
    Array.isArray(value)
      ? []
      : Object.keys(value).flatMap((name) => (name === "memories" ? [] : [`${under}/${name}`])),
  );
}

export function once<T>(learn: (kit: Kit) => Promise<T>): (kit: Kit) => Promise<T> {
  const known = new WeakMap<Kit, Promise<T>>();
  return (kit) => {
    const value = known.get(kit) ?? learn(kit);
    known.set(kit, value);
    return value;
  };
}
