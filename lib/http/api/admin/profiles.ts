import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { Did } from "@/lib/protocol/did";
import { single } from "@/lib/protocol/requests";
import { Timestamp, text } from "@/lib/protocol/resources";
import { templateNames } from "@/lib/rules/templates";
import {
  resumeProfile,
  setProfileFormat,
  suspendProfile,
} from "@/lib/services/admin/profiles/change-profile";
import { createProfileFor } from "@/lib/services/admin/profiles/create-profile";
import { deleteProfileOf } from "@/lib/services/admin/profiles/delete-profile";
import { findProfile, listProfiles } from "@/lib/services/admin/profiles/list-profiles";
import { transferProfile, withdrawTransfer } from "@/lib/services/admin/profiles/transfer-profile";
import { formatCursor, parseCursor } from "../../session/address/cursor";
import { endpoint, NextMeta } from "../endpoint";
import { UserId } from "../params";
import { bodyLike, Done, Email, SearchQuery, SometimesAt } from "../shapes";

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

export const profileEndpoints = {
  listAllProfiles: endpoint(
    "GET /api/admin/profiles",
    {
      summary: "List everybody's profiles, newest first; never what they hold.",
      query: SearchQuery.extend({ state: single().pipe(State).optional() }),
      data: z.array(Profile),
      meta: NextMeta,
    },
    async ({ ctx, query: { cursor, ...query } }) => {
      const place = parseCursor(cursor);
      const after = place && { createdAt: place.at, id: Number(place.id) || 0 };
      const { profiles, next } = await listProfiles(ctx, { ...query, after });
      const end = next && { at: next.createdAt, id: String(next.id) };
      return {
        data: profiles.map(({ id: _number, ...profile }) => profile),
        meta: { count: profiles.length, next: formatCursor(end) },
      };
    },
  ),
  createProfile: endpoint(
    "POST /api/admin/profiles",
    {
      summary: "Make a profile for a user.",
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
      status: 201,
    },
    async ({ ctx, body }) => {
      const namespace = engine().settings.values().PROF_NAMESPACE;
      return { data: { did: await createProfileFor(ctx, { ...body, namespace }) } };
    },
  ),
  describeProfile: endpoint(
    "GET /api/admin/profiles/{did}",
    {
      summary: "Look at the counts of one profile.",
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
    async ({ ctx, params: { did } }) => {
      const { profile, counts, transfer } = await findProfile(ctx, did);
      const { id: _number, ...shown } = profile;
      return { data: { ...shown, counts, transfer } };
    },
  ),
  setProfileFormat: endpoint(
    "PATCH /api/admin/profiles/{did}",
    {
      summary: "Set the type and the version of a profile.",
      body: bodyLike(
        z.object({ profileType: ProfileType, version: z.string().regex(/^\d{1,4}\.\d{1,4}$/) }),
        { profileType: "human", version: "1.0" },
      ),
      data: Done,
    },
    async ({ ctx, params, body }) => {
      const { did } = params;
      await setProfileFormat(ctx, { did, ...body });
      return { data: { id: did } };
    },
  ),
  suspendProfile: endpoint(
    "POST /api/admin/profiles/{did}/suspend",
    {
      summary: "Suspend a profile: every request for it is 403 PROF002.",
      data: Done,
    },
    async ({ ctx, params }) => {
      const { did } = params;
      await suspendProfile(ctx, did);
      return { data: { id: did } };
    },
  ),
  resumeProfile: endpoint(
    "POST /api/admin/profiles/{did}/resume",
    {
      summary: "Resume a suspended profile.",
      data: Done,
    },
    async ({ ctx, params }) => {
      const { did } = params;
      await resumeProfile(ctx, did);
      return { data: { id: did } };
    },
  ),
  transferProfile: endpoint(
    "POST /api/admin/profiles/{did}/transfer",
    {
      summary:
        "Ask both owners to let a profile go to another account, with all that it holds. It goes once both accept; its signing keys, connection tokens and receipts are revoked then, and the rules that open something are switched off.",
      body: bodyLike(z.strictObject({ email: Email }), { email: "bob@example.com" }),
      data: Done.extend({ effectiveAt: EffectiveAt }),
    },
    async ({ ctx, params: { did }, body: { email } }) => {
      const { effectiveAt } = await transferProfile(ctx, { did, email });
      return { data: { id: did, effectiveAt } };
    },
  ),
  withdrawTransfer: endpoint(
    "DELETE /api/admin/profiles/{did}/transfer",
    {
      summary: "Withdraw a transfer that waits for its owners.",
      data: Done,
    },
    async ({ ctx, params: { did } }) => {
      await withdrawTransfer(ctx, did);
      return { data: { id: did } };
    },
  ),
  eraseProfile: endpoint(
    "DELETE /api/admin/profiles/{did}",
    {
      summary: "Erase a profile for good.",
      data: Done,
    },
    async ({ ctx, params: { did } }) => {
      await deleteProfileOf(ctx, did);
      return { data: { id: did } };
    },
  ),
};
