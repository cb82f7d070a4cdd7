import { endpoints } from "@/lib/protocol/endpoints";
import { covers } from "@/lib/protocol/scope";
import { type Check, NotRun } from "../../check";
import { claim, refused, succeeded } from "../../expect";
import type { Kit } from "../../kit";
import {
  agentView,
  grantedScope,
  ownerView,
  profilePath,
  recordsIn,
  refusedScope,
} from "../../state";

const point = "Spec, Endpoints 1. Get Profile";
const filtered = "Protocol 6, Get Profile";
const recordsMax = 50;

export const profile: Check[] = [
  {
    id: "profile.shape",
    sentence:
      "A profile has id, profileType, version, common and memories, as the specification has them.",
    cites: "Spec, Profile",
    run: async (kit) => {
      const { id } = await agentView(kit);
      claim(id === kit.options.userDid, `data.id is ${id}`);
    },
  },
  {
    id: "profile.preferences",
    sentence: "common.preferences is an object, empty where nothing of it may be seen.",
    cites: "Spec, Profile; Protocol 6, Get Profile",
    run: async (kit) => {
      const { preferences } = (await agentView(kit)).common;
      claim(!Array.isArray(preferences), "common.preferences is an array");
    },
  },
  {
    id: "profile.scoped",
    sentence: "With scopes, only what they cover is shown.",
    cites: `${point}, scopes`,
    run: async (kit) => {
      const scope = await grantedScope(kit);
      const { data } = await read(kit, scope);
      const shown = Object.keys(data.memories);
      const outside = shown.filter((category) => !covers(scope, category));
      claim(outside.length === 0, `${outside} is outside of ${scope}`);
    },
  },
  {
    id: "profile.denied-scopes",
    sentence:
      "Of several scopes the allowed part is shown, and the rest stands in meta.deniedScopes.",
    cites: filtered,
    run: async (kit) => {
      const [granted, denied] = [await grantedScope(kit), await refusedScope(kit)];
      const { data, meta } = await read(kit, `${granted},${denied}`);
      claim(meta.deniedScopes?.join() === denied, `meta.deniedScopes is ${meta.deniedScopes}`);
      claim(!(denied in data.memories), `${denied} is denied and shown`);
    },
  },
  {
    id: "profile.granted-scopes",
    sentence: "Where everything that was asked for is shown there is no meta.deniedScopes.",
    cites: filtered,
    run: async (kit) => {
      const { meta } = await read(kit, await grantedScope(kit));
      claim(meta.deniedScopes === undefined, `meta.deniedScopes is ${meta.deniedScopes}`);
    },
  },
  {
    id: "profile.consent-required",
    sentence:
      "Where nothing of what was asked for is allowed: 403 PROF004, and the message names the first scope.",
    cites: "Spec, Errors, PROF004",
    run: async (kit) => {
      const denied = await refusedScope(kit);
      const target = profilePath(kit, `?scopes=${denied},${denied}.part`);
      const { message, details } = refused(await kit.call({ target }), "PROF004");
      claim(message.includes(denied), `the message does not name ${denied}: ${message}`);
      const scopes = details?.deniedScopes;
      const right = Array.isArray(scopes) && scopes.join() === `${denied},${denied}.part`;
      claim(right, `details.deniedScopes is ${scopes}`);
    },
  },
  {
    id: "profile.within-owners",
    sentence: "The agent sees no record that the owner does not see, and none changed.",
    cites: "Spec, What the service does 2",
    needs: ["userKey"],
    run: async (kit) => {
      const owners = new Map(
        recordsIn((await ownerView(kit)).memories).map((one) => [one.id, one]),
      );
      const records = recordsIn((await agentView(kit)).memories);
      const foreign = records.find(({ id }) => !owners.has(id));
      claim(foreign === undefined, `${foreign?.id} is not in the owner's view`);
      const changed = records.find((one) => owners.get(one.id)?.content !== one.content);
      claim(changed === undefined, `${changed?.id} is not what the owner sees`);
    },
  },
  {
    id: "profile.records",
    sentence: "A profile carries at most 50 records a category, newest first.",
    cites: filtered,
    run: async (kit) => {
      for (const value of Object.values((await agentView(kit)).memories)) {
        const records = recordsIn({ of: value });
        const times = records.map(({ createdAt }) => Date.parse(createdAt));
        claim(records.length <= recordsMax, `${records.length} records in one category`);
        claim(
          times.every((time, at) => time <= (times[at - 1] ?? Infinity)),
          "not newest first",
        );
      }
    },
  },
  {
    id: "profile.owner-sees-all",
    sentence: "The owner sees everything, whatever the policies say.",
    cites: "Protocol 4, owner's user DID",
    needs: ["userKey"],
    run: async (kit) => {
      const owners = Object.keys((await ownerView(kit)).memories);
      const missing = Object.keys((await agentView(kit)).memories).filter(
        (one) => !owners.includes(one),
      );
      claim(missing.length === 0, `${missing} is shown to the agent, not to the owner`);
    },
  },
  {
    id: "profile.owner-asks",
    sentence: "The owner is refused no scope.",
    cites: "Protocol 4, owner's user DID",
    needs: ["userKey"],
    run: async (kit) => {
      const target = profilePath(kit, "?scopes=prof:health,prof:identity");
      const { meta } = succeeded(await kit.call({ as: "user", target }), endpoints.getProfile);
      claim(meta.deniedScopes === undefined, `meta.deniedScopes is ${meta.deniedScopes}`);
    },
  },
  ...(
    [
      ["getProfile", "GET", "", undefined],
      [
        "requestAccess",
        "POST",
        "/access",
        { scopes: ["prof:interests"], purpose: { type: "personalization" } },
      ],
      ["listMemories", "GET", "/memories", undefined],
      [
        "proposeMemory",
        "POST",
        "/memories/propose",
        { content: "Not mine.", category: "prof:interests" },
      ],
      ["listProposals", "GET", "/proposals", undefined],
      [
        "reviewProposal",
        "POST",
        "/proposals/prop_0000000000000000000000/review",
        { action: "approve" },
      ],
    ] as const
  ).map(
    ([name, method, rest, body]): Check => ({
      id: `profile.other-user.${name}`,
      sentence: `${method} …${rest} on another user's profile is 403 PROF002 for a user.`,
      cites: "Protocol 4, another user's DID",
      needs: ["otherUserKey"],
      run: async (kit) => {
        const target = profilePath(kit, rest);
        refused(await kit.call({ as: "otherUser", method, target, body }), "PROF002");
      },
    }),
  ),
  {
    id: "profile.repeatable",
    sentence: "Two reads, one after the other, show the same.",
    cites: point,
    run: async (kit) => {
      const [one, other] = [await read(kit), await read(kit)];
      claim(JSON.stringify(one.data) === JSON.stringify(other.data), "the two differ");
    },
  },
];

async function read(kit: Kit, scopes?: string) {
  const query = scopes === undefined ? "" : `?scopes=${scopes}`;
  const reply = await kit.call({ target: profilePath(kit, query) });
  if (reply.status === 429) throw new NotRun("the hour's limit is reached");
  return succeeded(reply, endpoints.getProfile, 200);
}
