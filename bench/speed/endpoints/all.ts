import { type Asking, bytesOf, packed } from "../requests";
import { memoriesOf, type Owner, seedPending, type World } from "../world";
import { connected } from "./connected";
import type { Measured } from "./measured";

const owners = ({ owners }: World, memories: number) =>
  owners.filter((_, n) => memoriesOf(n) === memories);

function spread<T>(all: readonly T[], n: number): T {
  return all[n % all.length] as T;
}

let paired = 0;

// Each agent with each owner in turn: only so many proposals of one pair may wait, and a read weighs all
// of its receipts.
function nextPair({ agents, owners }: World) {
  const n = paired++;
  const caller = spread(agents, n + Math.floor(n / owners.length));
  return { n, caller, owner: spread(owners, n) };
}

export const measured: Measured[] = [
  {
    name: "profile",
    line: "GET profile (20 memories, 5 policies)",
    target: 0.5,
    async askings(count, { world }) {
      const profiles = owners(world, 20);
      return Array.from({ length: count }, (_, n) => ({
        caller: spread(world.agents, n),
        method: "GET",
        target: `/prof/v1/profile/${spread(profiles, n).did}`,
      }));
    },
  },
  {
    name: "memories",
    line: "GET memories (page of 50)",
    target: 0.4,
    async askings(count, { world }) {
      const profiles = owners(world, 60);
      return Array.from({ length: count }, (_, n) => ({
        caller: spread(world.agents, n),
        method: "GET",
        target: `/prof/v1/profile/${spread(profiles, n).did}/memories?limit=50`,
      }));
    },
  },
  {
    name: "propose",
    line: "POST propose",
    target: 0.4,
    async askings(count, { world }) {
      return Array.from({ length: count }, () => {
        const { n, caller, owner } = nextPair(world);
        return {
          caller,
          method: "POST",
          target: `/prof/v1/profile/${owner.did}/memories/propose`,
          body: {
            content: `Would like to hear of concert ${n} before it is sold out.`,
            category: "prof:interests.music",
            confidence: 0.8,
          },
        };
      });
    },
  },
  {
    name: "access",
    line: "POST access",
    target: 0.35,
    async askings(count, { world }) {
      const purpose = { type: "personalization", description: "Choose what to show first." };
      return Array.from({ length: count }, () => {
        const { caller, owner } = nextPair(world);
        const body = { scopes: ["prof:preferences", "prof:interests"], purpose };
        return { caller, method: "POST", target: `/prof/v1/profile/${owner.did}/access`, body };
      });
    },
  },
  {
    name: "review",
    line: "POST review",
    target: 0.35,
    async askings(count, { world, databaseUrl }) {
      const waiting = await seedPending(databaseUrl, world, count);
      return waiting.map(({ owner, id }) => ({
        caller: owner satisfies Owner,
        method: "POST",
        target: `/prof/v1/profile/${owner.did}/proposals/${id}/review`,
        body: { action: "approve" },
      }));
    },
  },
  ...connected,
];

export function wired(askings: Asking[], authority: string): Buffer {
  return packed(askings.map((asking) => bytesOf(asking, authority)));
}
