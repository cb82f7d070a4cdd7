import { type Client, profileTarget } from "../client";
import { hastyLimit, type Signer } from "../world";

const asksAtOnce = 4;
const rounds = 8;

/** Agents of a small limit, one after the other, each asking for more than that on both gateways. */
export function hasty(agents: readonly Signer[]): (client: Client) => Promise<void> {
  const waiting = agents.values();
  return async (client) => {
    const { value: self } = waiting.next();
    if (self === undefined) return client.rest();
    const profile = client.random.pick(client.world.owners).did;
    for (let round = 0; round < rounds; round++) {
      await Promise.all(Array.from({ length: asksAtOnce }, () => list(client, self, profile)));
      await client.rest();
    }
  };
}

async function list(client: Client, self: Signer, profile: string): Promise<void> {
  const target = profileTarget(profile, "/memories?limit=1");
  const { nonce, outgoing } = await client.sign(self, "GET", target);
  const meant = { verb: "listMemories", caller: self.did, profile, nonce } as const;
  await client.ask({ ...meant, limit: hastyLimit }, outgoing);
}
