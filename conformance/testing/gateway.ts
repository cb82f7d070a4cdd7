import type { Server } from "node:http";
import type { Engine } from "@/lib/engine/engine";
import { createFrontDoor } from "@/server/front-door/front-door";
import { protocolRoute } from "@/server/front-door/protocol-routes";
import { listen } from "@/server/listen";
import {
  giveMemory,
  giveNamedValue,
  giveProposal,
  giveToken,
  mintAgent,
  mintOwner,
} from "@/tests/support/personas";
import type { Options } from "../options";

/** The gateway behind its front door, on a port that the kernel chose. */
export async function startGateway(engine: Engine): Promise<{ server: Server; url: string }> {
  const server = createFrontDoor({
    engine,
    protocolRoute,
    next: async (_request, response) => {
      response.writeHead(404).end();
    },
  });
  return { server, url: `http://127.0.0.1:${await listen(server, "127.0.0.1", 0)}` };
}

/** An owner, an agent that reads a part and proposes, its token, and a second owner. */
export async function personas(engine: Engine): Promise<Omit<Options, "url">> {
  const owner = await mintOwner(engine, {
    policies: [
      {
        allow: ["prof:preferences", "prof:interests", "prof:professional"],
        deny: ["prof:health", "prof:interests.secret"],
      },
      { allow: ["prof:conformance", "prof:interests"], permissions: ["propose"] },
    ],
    common: { preferences: { language: "en" }, identity: { displayName: "Alice" } },
  });
  const { profileId } = owner;
  for (const [category, content] of memories) {
    await giveMemory(engine, profileId, { category, content });
  }
  const occupation = { category: "prof:professional", name: "occupation", value: "engineer" };
  await giveNamedValue(engine, profileId, occupation);
  const [agent, stranger, other] = [
    await mintAgent(engine),
    await mintAgent(engine),
    await mintOwner(engine),
  ];
  await giveProposal(engine, { profileId, agentDid: stranger.did });
  const { token } = await giveToken(engine, { owner, agent, permissions: ["read", "propose"] });
  return {
    agent: { did: agent.did, privateKey: agent.privateKey },
    userDid: owner.did,
    userKey: owner.privateKey,
    token,
    otherUserDid: other.did,
    otherUserKey: other.privateKey,
    category: "prof:conformance",
    limitsRaised: false,
    exhaust: false,
    json: false,
    only: [],
    skip: [],
  };
}

const memories = [
  ["prof:interests", "Likes long walks."],
  ["prof:interests.music", "Plays the cello."],
  ["prof:interests.secret", "Keeps a diary under the bed."],
  ["prof:professional", "Moved to the data team in spring."],
  ["prof:health.sleep", "Sleeps badly in summer."],
] as const;
