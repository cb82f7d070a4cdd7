import { z } from "zod";
import { MemoriesMeta, PageMeta, ProfileMeta } from "./answers/answer-meta";
import { MemoriesByCategory, Profile } from "./answers/profile";
import type { ErrorCode } from "./errors";
import {
  AccessRequest,
  Empty,
  MemoriesQuery,
  ProfileParams,
  ProfileQuery,
  ProposalParams,
  ProposalRequest,
  ProposalsQuery,
  ReviewRequest,
} from "./requests";
import {
  AccessFollowed,
  AccessReceipt,
  MemoryProposal,
  ProposedMemory,
  ReviewedProposal,
} from "./resources";

// Spec, Limits; Protocol 7 adds the two lists.
export const limitWindowSeconds = 3_600;
export const limitClasses = {
  profile: 100,
  access: 30,
  propose: 20,
  review: 50,
  memories: 100,
  proposals: 100,
} as const;
export type LimitClass = keyof typeof limitClasses;

export type Endpoint = {
  name: string;
  summary: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  /** Protocol 3: without a DID in the path, only a token names the profile. */
  credentials: readonly ("signature" | "token")[];
  params: z.ZodObject;
  query: z.ZodObject;
  body: z.ZodType | null;
  data: z.ZodType;
  meta: z.ZodObject;
  limitClass: LimitClass;
  statuses: Readonly<Record<number, string>>;
  /** What 202 tells a caller that would rather wait for the owner. */
  waits?: z.ZodType;
  errors: readonly ErrorCode[];
};

/** Errors of every endpoint; an endpoint's `errors` lists the others. */
export const errorsOfAll: readonly ErrorCode[] = [
  "PROF001",
  "PROF005",
  "PROF006",
  "PROF007",
  "PROF008",
  "PROF500",
  "PROF503",
];

const proposed = { 201: "Proposed.", 200: "The same proposal was pending already; this is it." };

/** The contract: routes, client, OpenAPI, limits, docs and conformance all read this table. */
export const endpoints = {
  getProfile: {
    name: "getProfile",
    summary: "Read a profile, as far as the owner's policies show it.",
    method: "GET",
    path: "/prof/v1/profile/{did}",
    credentials: ["signature", "token"],
    params: ProfileParams,
    query: ProfileQuery,
    body: null,
    data: Profile,
    meta: ProfileMeta,
    limitClass: "profile",
    statuses: { 200: "The profile, filtered." },
    errors: ["PROF002", "PROF003", "PROF004"],
  },
  requestAccess: {
    name: "requestAccess",
    summary: "Ask for scopes of a profile, for a declared purpose.",
    method: "POST",
    path: "/prof/v1/profile/{did}/access",
    credentials: ["signature", "token"],
    params: ProfileParams,
    query: Empty,
    body: AccessRequest,
    data: AccessReceipt,
    meta: Empty,
    limitClass: "access",
    statuses: {
      200: "The receipt; some of the scopes may be denied.",
      202: "Only with `Prefer: wait=N`, instead of a refusal that waits for the owner: after N seconds at most, or once they have decided. `Location` is where to look it up.",
    },
    waits: AccessFollowed,
    errors: ["PROF002", "PROF003", "PROF004"],
  },
  listMemories: {
    name: "listMemories",
    summary: "List the memories of a profile, newest first.",
    method: "GET",
    path: "/prof/v1/profile/{did}/memories",
    credentials: ["signature", "token"],
    params: ProfileParams,
    query: MemoriesQuery,
    body: null,
    data: MemoriesByCategory,
    meta: MemoriesMeta,
    limitClass: "memories",
    statuses: { 200: "One page of memories; named values come with the first." },
    errors: ["PROF002", "PROF003", "PROF004"],
  },
  proposeMemory: {
    name: "proposeMemory",
    summary: "Propose a memory; the owner approves or rejects it.",
    method: "POST",
    path: "/prof/v1/profile/{did}/memories/propose",
    credentials: ["signature", "token"],
    params: ProfileParams,
    query: Empty,
    body: ProposalRequest,
    data: ProposedMemory,
    meta: Empty,
    limitClass: "propose",
    statuses: proposed,
    errors: ["PROF002", "PROF003", "PROF004"],
  },
  listProposals: {
    name: "listProposals",
    summary: "List proposals, newest first: the owner sees all, an agent its own.",
    method: "GET",
    path: "/prof/v1/profile/{did}/proposals",
    credentials: ["signature", "token"],
    params: ProfileParams,
    query: ProposalsQuery,
    body: null,
    data: z.array(MemoryProposal),
    meta: PageMeta,
    limitClass: "proposals",
    statuses: { 200: "One page of proposals." },
    errors: ["PROF002", "PROF003"],
  },
  reviewProposal: {
    name: "reviewProposal",
    summary: "Approve or reject a pending proposal, as the profile's owner.",
    method: "POST",
    path: "/prof/v1/profile/{did}/proposals/{proposalId}/review",
    credentials: ["signature"],
    params: ProposalParams,
    query: Empty,
    body: ReviewRequest,
    data: ReviewedProposal,
    meta: Empty,
    limitClass: "review",
    statuses: { 200: "Reviewed; an approval names the memory it made." },
    errors: ["PROF002", "PROF003"],
  },
  getOwnProfile: {
    name: "getOwnProfile",
    summary: "Read the profile that the connection token belongs to.",
    method: "GET",
    path: "/prof/v1/profile",
    credentials: ["token"],
    params: Empty,
    query: ProfileQuery,
    body: null,
    data: Profile,
    meta: ProfileMeta,
    limitClass: "profile",
    statuses: { 200: "The profile, filtered." },
    errors: ["PROF002", "PROF004"],
  },
  proposeOwnMemory: {
    name: "proposeOwnMemory",
    summary: "Propose a memory to the profile that the connection token belongs to.",
    method: "POST",
    path: "/prof/v1/profile/memories/propose",
    credentials: ["token"],
    params: Empty,
    query: Empty,
    body: ProposalRequest,
    data: ProposedMemory,
    meta: Empty,
    limitClass: "propose",
    statuses: proposed,
    errors: ["PROF002", "PROF004"],
  },
} as const satisfies Record<string, Endpoint>;

/** Input of an endpoint, also of those outside the protocol. */
export type Asking = Pick<Endpoint, "params" | "query" | "body">;

export type Params<E extends Asking> = Members<z.output<E["params"]>>;
export type Query<E extends Asking> = Members<z.output<E["query"]>>;
export type Body<E extends Asking> = E["body"] extends z.ZodType ? z.output<E["body"]> : undefined;
export type Data<E extends Pick<Endpoint, "data">> = z.output<E["data"]>;
export type EndpointMeta<E extends Pick<Endpoint, "meta">> = Members<z.output<E["meta"]>>;

// To zod an empty object forbids every member, which in an intersection would forbid those of the rest.
type Members<T> = string extends keyof T ? object : T;

export type Match =
  | { endpoint: (typeof endpoints)[keyof typeof endpoints]; params: Record<string, string> }
  | { allow: string[] };

/** Decoded path segments to the endpoint they name, or to the methods that the path does take. */
export function matchEndpoint(method: string, segments: readonly string[]): Match | null {
  const allow: string[] = [];
  for (const endpoint of all) {
    const params = matchPath(endpoint.path, segments);
    if (params === null) continue;
    if (endpoint.method === method) return { endpoint, params };
    allow.push(endpoint.method);
  }
  return allow.length === 0 ? null : { allow };
}

const all = Object.values(endpoints);

/** The parameters in decoded path segments; null where they are another path's. */
export function matchPath(
  path: string,
  segments: readonly string[],
): Record<string, string> | null {
  const pattern = patternOf(path);
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (let index = 0; index < pattern.length; index++) {
    const [expected = "", segment = ""] = [pattern[index], segments[index]];
    if (expected.startsWith("{") && segment !== "") params[expected.slice(1, -1)] = segment;
    else if (expected !== segment) return null;
  }
  return params;
}

const patterns = new Map<string, string[]>();

function patternOf(path: string): string[] {
  const pattern = patterns.get(path) ?? path.slice(1).split("/");
  patterns.set(path, pattern);
  return pattern;
}
