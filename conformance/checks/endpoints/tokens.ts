import { endpoints } from "@/lib/protocol/endpoints";
import { type Check, NotRun } from "../../check";
import { claim, refused, succeeded } from "../../expect";
import type { Kit } from "../../kit";
import { agentView, contentOf, profilePath, reviewPath } from "../../state";

const tokens = "Protocol 3, Connection tokens";
const variants = "Spec, Implementation-specific endpoints 4";

const withToken: Check[] = [
  {
    id: "tokens.profile",
    sentence: "A connection token stands in for the signature.",
    cites: "Spec, Authentication 6",
    run: async (kit) => {
      const { data } = succeeded(await read(kit), endpoints.getProfile, 200);
      claim(data.id === kit.options.userDid, `data.id is ${data.id}`);
    },
  },
  {
    id: "tokens.own-profile",
    sentence: "GET /prof/v1/profile takes the profile from the token.",
    cites: variants,
    run: async (kit) => {
      const reply = await kit.call({ as: "token", target: "/prof/v1/profile" });
      const { data } = succeeded(reply, endpoints.getOwnProfile, 200);
      const named = succeeded(await read(kit), endpoints.getProfile, 200);
      claim(
        JSON.stringify(data) === JSON.stringify(named.data),
        "it differs from the path with the DID",
      );
    },
  },
  {
    id: "tokens.own-propose",
    sentence: "POST /prof/v1/profile/memories/propose takes the profile from the token.",
    cites: variants,
    run: async (kit) => {
      const body = { content: contentOf(kit, "by token"), category: kit.options.category };
      const target = "/prof/v1/profile/memories/propose";
      const reply = await kit.call({ as: "token", method: "POST", target, body });
      if (reply.status === 403) throw new NotRun("this token does not carry propose there");
      succeeded(reply, endpoints.proposeOwnMemory, 201);
    },
  },
  {
    id: "tokens.within-policies",
    sentence: "A token shows nothing that the policies do not give its agent.",
    cites: `${tokens}: intersection`,
    run: async (kit) => {
      const { data } = succeeded(await read(kit), endpoints.getProfile, 200);
      const { memories, common } = await agentView(kit);
      const seen = new Set([...Object.keys(memories), ...Object.keys(common)]);
      const shown = [...Object.keys(data.memories), ...Object.keys(data.common)];
      const beyond = shown.filter((name) => !seen.has(name));
      claim(beyond.length === 0, `${beyond} is not shown to the agent itself`);
    },
  },
  {
    id: "tokens.proposals",
    sentence: "With a token an agent lists its own proposals only.",
    cites: "Protocol 4, list proposals",
    run: async (kit) => {
      const reply = await kit.call({ as: "token", target: profilePath(kit, "/proposals") });
      const { data } = succeeded(reply, endpoints.listProposals, 200);
      const foreign = data.find(({ agentDid }) => agentDid !== kit.options.agent.did);
      claim(foreign === undefined, `it sees one of ${foreign?.agentDid}`);
    },
  },
  {
    id: "tokens.review",
    sentence: "A token never reviews: 403 PROF002.",
    cites: `${tokens}: never review`,
    run: async (kit) => {
      const body = { action: "approve" };
      refused(
        await kit.call({ as: "token", method: "POST", target: reviewPath(kit), body }),
        "PROF002",
      );
    },
  },
  {
    id: "tokens.limits",
    sentence: "A token has a count of its own, and every answer tells it.",
    cites: "Protocol 7, Counted per caller",
    run: async (kit) => {
      const [first, second] = [await read(kit), await read(kit)];
      const [before, after] = [first, second].map(({ headers }) =>
        Number(headers["x-ratelimit-remaining"]),
      );
      claim(after === (before ?? 0) - 1, `X-RateLimit-Remaining went from ${before} to ${after}`);
    },
  },
  {
    id: "tokens.scheme-case",
    sentence: "The scheme's name may be in lower case.",
    cites: "Protocol 2, Header grammar",
    run: async (kit) => {
      const headers = { Authorization: `bearer ${kit.options.token}` };
      const reply = await kit.call({ as: "nobody", target: profilePath(kit), headers });
      succeeded(reply, endpoints.getProfile, 200);
    },
  },
  {
    id: "tokens.changed",
    sentence: "A token with one character changed is 401 PROF001.",
    cites: "Protocol 3, Expired, revoked, unknown",
    run: async (kit) => {
      const token = kit.options.token ?? "";
      const last = token.endsWith("0") ? "1" : "0";
      const headers = { Authorization: `Bearer ${token.slice(0, -1)}${last}` };
      refused(await kit.call({ as: "nobody", target: profilePath(kit), headers }), "PROF001");
    },
  },
];

export const usingTokens: Check[] = [
  ...(
    [
      ["getOwnProfile", "GET", "/prof/v1/profile", undefined],
      [
        "proposeOwnMemory",
        "POST",
        "/prof/v1/profile/memories/propose",
        { content: "Whose?", category: "prof:interests" },
      ],
    ] as const
  ).map(
    ([name, method, target, body]): Check => ({
      id: `tokens.signature.${name}`,
      sentence: `${method} ${target} with a signature is 400 PROF006: it does not say whose profile.`,
      cites: tokens,
      run: async (kit) => {
        refused(await kit.call({ method, target, body }), "PROF006");
      },
    }),
  ),
  ...withToken.map((check): Check => ({ ...check, needs: ["token"] })),
  {
    id: "tokens.other-profile",
    sentence: "A token with another profile's DID in the path is 403 PROF002.",
    cites: `${tokens}: a DID that is not the token's profile`,
    needs: ["token", "otherUserDid"],
    run: async (kit) => {
      const target = profilePath(kit, "", kit.options.otherUserDid ?? "");
      refused(await kit.call({ as: "token", target }), "PROF002");
    },
  },
];

function read(kit: Kit) {
  return kit.call({ as: "token", target: profilePath(kit) });
}
