import { type Acknowledged, member } from "./acknowledged";
import { jsonOf } from "./judge";
import { bytesOf, draft, profilePath, type World } from "./message";
import { openLine } from "./wire";

/** A gateway under fire. */
export interface Target {
  world: World;
  /** What is stored although no answer said so. */
  storedUnacknowledged(acknowledged: Acknowledged): Promise<string[]>;
  stop(): Promise<void>;
}

/** One that runs already: what it stores is seen with the owner's eyes, where there is the key. */
export async function runningTarget(world: World): Promise<Target> {
  const before = await totals(world);
  return {
    world,
    async storedUnacknowledged(acknowledged) {
      if (world.signers.owner === undefined) return [];
      const after = await totals(world);
      return [
        ...differs("proposals", after.proposals - before.proposals, acknowledged.proposals.size),
        ...differs("memories", after.memories - before.memories, acknowledged.memories.size),
      ];
    },
    stop: async () => {},
  };
}

async function totals(world: World) {
  return { proposals: await total(world, "proposals"), memories: await total(world, "memories") };
}

async function total(world: World, list: "proposals" | "memories"): Promise<number> {
  const target = profilePath(world, `/${list}?limit=1`);
  const line = openLine(world.host, world.port);
  const heard = await line.ask(bytesOf(world, draft("total", { caller: "owner", target })), false);
  line.close();
  const answer = jsonOf(heard.answers[0]?.body.toString("utf8") ?? "");
  return Number(member(member(answer, "meta"), "total"));
}

function differs(what: string, stored: number, acknowledged: number): string[] {
  return stored === acknowledged
    ? []
    : [`${stored} ${what} came to be, ${acknowledged} were told of`];
}
