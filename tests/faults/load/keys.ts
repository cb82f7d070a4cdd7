import { generateKeyPairSync } from "node:crypto";
import { type Client, profileTarget } from "../client";
import type { Signer } from "../world";

// An admin gives an agent one more key and takes it away again, while the agent signs with it.

export async function keyed(client: Client): Promise<void> {
  const { admin, keyed: agent } = client.world;
  const privateKey = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const { d = "", x = "" } = privateKey;
  client.world.secrets.push(d);
  const access = `${agent.did} by ${x}`;
  const by = { caller: admin.userId, profile: agent.did };
  const { acknowledged, outcome } = await client.ask(
    { ...by, verb: "addKey", begins: access },
    client.signedIn(admin, "POST", `${addressOf(agent)}/keys`, {
      publicKey: Buffer.from(x, "base64url").toString("base64"),
    }),
  );
  if (outcome.result !== "acknowledged") {
    await tidyUp(client);
    return client.rest();
  }
  const use = () => read(client, { did: agent.did, privateKey }, access);
  await use();
  const revoking = client.signedIn(
    admin,
    "DELETE",
    `${addressOf(agent)}/keys/${acknowledged.data?.id}`,
  );
  const meant = { ...by, verb: "revokeKey", ends: access } as const;
  await Promise.all([use(), client.ask(meant, revoking), use()]);
  for (let again = 0; again < 3; again++) await use();
  await client.rest();
}

async function read(client: Client, signer: Signer, access: string): Promise<void> {
  const { did: profile } = client.random.pick(client.world.owners);
  const { nonce, outgoing } = await client.sign(signer, "GET", profileTarget(profile));
  const about = { caller: signer.did, profile, nonce, under: access };
  await client.ask({ ...about, verb: "readProfile" }, outgoing);
}

/** An agent has room for a few keys: those go of which nobody heard whether they came or went. */
async function tidyUp(client: Client): Promise<void> {
  const { admin, keyed: agent } = client.world;
  const by = { caller: admin.userId, profile: agent.did };
  const looking = client.signedIn(admin, "GET", addressOf(agent));
  const { acknowledged } = await client.ask({ ...by, verb: "openPage" }, looking);
  const active = acknowledged.data?.keys?.filter(({ revokedAt }) => revokedAt === null) ?? [];
  // The newest come first; the oldest is the agent's own.
  for (const { id } of active.slice(0, -1)) {
    const revoking = client.signedIn(admin, "DELETE", `${addressOf(agent)}/keys/${id}`);
    await client.ask({ ...by, verb: "revokeKey" }, revoking);
  }
}

function addressOf({ did }: Signer): string {
  return `/api/admin/agents/${encodeURIComponent(did)}`;
}
