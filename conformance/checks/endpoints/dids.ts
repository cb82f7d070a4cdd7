import { endpoints } from "@/lib/protocol/endpoints";
import type { Check } from "../../check";
import { faulted, refused, succeeded } from "../../expect";
import type { Kit } from "../../kit";
import { noProposal, profilePath, unknownDid } from "../../state";

const identity = "Protocol 1, A path value";

const noDids: [id: string, what: string, segment: (kit: Kit) => string][] = [
  ["name", "a bare name", () => "alice"],
  ["other-method", "a DID of another method", () => "did:example:user:local:alice"],
  ["upper", "a DID in upper case", (kit) => kit.options.userDid.toUpperCase()],
  ["cut", "the beginning of a DID", () => "did:prof"],
  [
    "encoded-twice",
    "a DID that is percent-encoded twice",
    (kit) => encodeURIComponent(encodeURIComponent(kit.options.userDid)),
  ],
];

const nobodies: [id: string, what: string, did: (kit: Kit) => string][] = [
  ["unknown", "that nobody has", unknownDid],
  ["agent", "of an agent", (kit) => kit.options.agent.did],
  ["kind", "of an unknown kind", () => "did:prof:robot:local:alice"],
  ["few-parts", "with too few parts", () => "did:prof:user:alice"],
  ["many-parts", "with too many parts", (kit) => `${kit.options.userDid}:more`],
  ["long", "with a name of 65 characters", () => `did:prof:user:local:${"a".repeat(65)}`],
  ["character", "with a character outside its alphabet", () => "did:prof:user:local:al ice"],
  ["empty-name", "with an empty name", () => "did:prof:user:local:"],
  ["name-case", "in other letters' case", (kit) => otherCase(kit.options.userDid)],
];

const unknownProfile = Object.values(endpoints).filter(({ path }) => path.includes("{did}"));

export const dids: Check[] = [
  {
    id: "dids.plain",
    sentence: "The DID of the path is the id of the profile.",
    cites: "Spec, Endpoints 1. Get Profile",
    run: async (kit) => {
      const target = `/prof/v1/profile/${kit.options.userDid}/memories?limit=1`;
      succeeded(await kit.call({ target }), endpoints.listMemories);
    },
  },
  {
    id: "dids.percent-encoded",
    sentence: "A DID in the path may be percent-encoded.",
    cites: "Protocol 1, In a path",
    run: async (kit) => {
      const did = kit.options.userDid.replaceAll(":", "%3A").replace("prof", "%70rof");
      const target = `/prof/v1/profile/${did}/memories?limit=1`;
      succeeded(await kit.call({ target }), endpoints.listMemories);
    },
  },
  ...noDids.map(
    ([id, what, segment]): Check => ({
      id: `dids.none.${id}`,
      sentence: `In the place of the DID ${what} is 400 PROF006.`,
      cites: identity,
      run: async (kit) => {
        faulted(await kit.call({ target: `/prof/v1/profile/${segment(kit)}/memories` }), "did");
      },
    }),
  ),
  ...nobodies.map(
    ([id, what, did]): Check => ({
      id: `dids.nobody.${id}`,
      sentence: `A DID ${what} is 404 PROF003.`,
      cites: identity,
      run: async (kit) => {
        refused(await kit.call({ target: profilePath(kit, "/memories", did(kit)) }), "PROF003");
      },
    }),
  ),
  ...unknownProfile.map(
    ({ name, method, path, body }): Check => ({
      id: `dids.unknown.${name}`,
      sentence: `${method} ${path} of an unknown profile is 404 PROF003.`,
      cites: "Spec, Errors, PROF003",
      run: async (kit) => {
        const target = path
          .replace("{did}", encodeURIComponent(unknownDid(kit)))
          .replace("{proposalId}", noProposal);
        const sent = body === null ? undefined : validBodies[name];
        refused(await kit.call({ method, target, body: sent }), "PROF003");
      },
    }),
  ),
];

const validBodies: Partial<Record<keyof typeof endpoints, object>> = {
  requestAccess: { scopes: ["prof:preferences"], purpose: { type: "personalization" } },
  proposeMemory: { content: "Nobody's.", category: "prof:interests" },
  reviewProposal: { action: "approve" },
};

function otherCase(did: string): string {
  const name = did.split(":").at(-1) ?? "";
  const upper = name.toUpperCase();
  return did.slice(0, -name.length) + (name === upper ? name.toLowerCase() : upper);
}
