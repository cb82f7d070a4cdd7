import { z } from "zod";
import { Did } from "@/lib/protocol/did";
import { Empty, ProfileParams, single } from "@/lib/protocol/requests";
import { Timestamp, text } from "@/lib/protocol/resources";
import { type TemplateName, templates } from "@/lib/rules/templates";
import { NextMeta, type SessionEndpoint } from "../endpoint";
import { SometimesAt } from "../shapes";
import { bodyLike, Changed, Email, SearchQuery, UserId } from "./shapes";

const State = z.enum(["active", "suspended"]);
const ProfileType = z.enum(["human", "agent", "entity"]);

const Profile = z.object({
  did: Did,
  profileType: ProfileType,
  version: z.string(),
  state: State,
  createdAt: Timestamp,
  owner: z.object({ id: z.string(), email: z.string() }),
});

const EffectiveAt = Timestamp.describe(
  "When it goes if the present owner does not answer, and the new one has accepted. Later if a new password takes the present owner's acceptance back.",
);

const templateNames = Object.keys(templates) as [TemplateName, ...TemplateName[]];
const ofOne = { params: ProfileParams, query: Empty, meta: Empty, status: 200 } as const;

export const profileEndpoints = {
  listAllProfiles: {
    name: "listAllProfiles",
    summary: "List everybody's profiles, newest first; never what they hold.",
    method: "GET",
    path: "/api/admin/profiles",
    params: Empty,
    query: SearchQuery.extend({ state: single().pipe(State).optional() }),
    body: null,
    data: z.array(Profile),
    meta: NextMeta,
    status: 200,
  },
  createProfile: {
    name: "createProfile",
    summary: "Make a profile for a user.",
    method: "POST",
    path: "/api/admin/profiles",
    params: Empty,
    query: Empty,
    body: bodyLike(
      z.object({
        userId: UserId,
        handle: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
        name: text({ min: 1, max: 100 }),
        template: z.enum(templateNames).optional(),
      }),
      { userId: "usr_8uGe2LwF5aTjC0iXo3MqSk", handle: "alice-work", name: "Alice at work" },
    ),
    data: z.object({ did: Did }),
    meta: Empty,
    status: 201,
  },
  describeProfile: {
    ...ofOne,
    name: "describeProfile",
    summary: "Look at the counts of one profile.",
    method: "GET",
    path: "/api/admin/profiles/{did}",
    body: null,
    data: Profile.extend({
      counts: z.object({
        memories: z.int(),
        pendingProposals: z.int(),
        policies: z.int(),
        activeTokens: z.int(),
        lastEventAt: SometimesAt,
      }),
      transfer: z
        .object({
          email: z.string().describe("Of the account that it goes to."),
          effectiveAt: EffectiveAt,
          acceptedByOwner: z.boolean(),
          acceptedByNew: z.boolean(),
        })
        .nullable()
        .describe("A transfer that waits for its owners."),
    }),
  },
  setProfileFormat: {
    ...ofOne,
    name: "setProfileFormat",
    summary: "Set the type and the version of a profile.",
    method: "PATCH",
    path: "/api/admin/profiles/{did}",
    body: bodyLike(
      z.object({ profileType: ProfileType, version: z.string().regex(/^\d{1,4}\.\d{1,4}$/) }),
      { profileType: "human", version: "1.0" },
    ),
    data: Changed,
  },
  suspendProfile: {
    ...ofOne,
    name: "suspendProfile",
    summary: "Suspend a profile: every request for it is 403 PROF002.",
    method: "POST",
    path: "/api/admin/profiles/{did}/suspend",
    body: null,
    data: Changed,
  },
  resumeProfile: {
    ...ofOne,
    name: "resumeProfile",
    summary: "Resume a suspended profile.",
    method: "POST",
    path: "/api/admin/profiles/{did}/resume",
    body: null,
    data: Changed,
  },
  transferProfile: {
    ...ofOne,
    name: "transferProfile",
    summary:
      "Ask both owners to let a profile go to another account, with all that it holds. It goes once both accept; its signing keys, connection tokens and receipts are revoked then, and the rules that open something are switched off.",
    method: "POST",
    path: "/api/admin/profiles/{did}/transfer",
    body: bodyLike(z.strictObject({ email: Email }), { email: "bob@example.com" }),
    data: Changed.extend({ effectiveAt: EffectiveAt }),
  },
  withdrawTransfer: {
    ...ofOne,
    name: "withdrawTransfer",
    summary: "Withdraw a transfer that waits for its owners.",
    method: "DELETE",
    path: "/api/admin/profiles/{did}/transfer",
    body: null,
    data: Changed,
  },
  eraseProfile: {
    ...ofOne,
    name: "eraseProfile",
    summary: "Erase a profile for good.",
    method: "DELETE",
    path: "/api/admin/profiles/{did}",
    body: null,
    data: Changed,
  },
} as const satisfies Record<string, SessionEndpoint>;
