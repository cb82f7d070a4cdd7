import { expect, test } from "vitest";
import { consent } from "@/tests/support/connecting/clients";
import { giveQuestion } from "@/tests/support/connecting/question";
import { testEngine } from "@/tests/support/harness";
import { givePolicy, mintOwner, type Owner, signedIn } from "@/tests/support/personas";
import { findKnownAgent } from "../agents/known/find-known";
import { listKnownAgents } from "../policies/known-agents";
import { listTokenAgents } from "../tokens/token-choices";
import { findAuthorization, findNamesake } from "./authorizations";

const engine = await testEngine();

test("other owners see no agent of a client, in no list and by no name, until an admin verifies it", async () => {
  const [owner, stranger] = [await mintOwner(engine), await mintOwner(engine)];
  const { question } = await giveQuestion(engine, { name: "A diary" });
  const agentDid = (await findAuthorization(signedIn(engine, owner), question))?.client.agentDid;
  if (agentDid === undefined) throw new Error("nobody asks");
  await consent(engine, owner, { name: question });
  const again = await giveQuestion(engine, { name: "a DIARY" });
  const asks = await findAuthorization(signedIn(engine, owner), again.question);
  if (asks === null) throw new Error("nobody asks");
  const seenBy = async (one: Owner) => {
    const [ctx, { did }] = [signedIn(engine, one), one];
    return {
      namesake: (await findNamesake(ctx, { did, client: asks.client }))?.did,
      dossier: (await findKnownAgent(ctx, { did, agentDid }))?.agent.did,
      choices: (await listTokenAgents(ctx, { did, limit: 9 })).map((agent) => agent.did),
    };
  };
  expect(await seenBy(owner)).toEqual({ namesake: agentDid, dossier: agentDid, choices: [] });
  expect(await seenBy(stranger)).toEqual({ choices: [] });
  await givePolicy(engine, stranger.profileId, { agentPattern: "did:prof:agent:local:*" });
  const known = await listKnownAgents(signedIn(engine, stranger), stranger.did);
  expect(known.map(({ did }) => did)).not.toContain(agentDid);
  await engine.db.agent.update({ where: { did: agentDid }, data: { verified: true } });
  expect(await seenBy(stranger)).toEqual({ namesake: agentDid, choices: [] });
});
