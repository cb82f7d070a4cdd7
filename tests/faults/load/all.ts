import { type Client, runClient, type Stage } from "../client";
import { granting } from "./grants";
import { keyed } from "./keys";
import { hasty } from "./limits";
import { replayer } from "./replays";
import { reopener, reviewer } from "./review";
import { stranger, worker } from "./work";

/** Everybody at once, until the stage says that it is over. */
export async function runLoad(stage: Stage): Promise<void> {
  const { owners, workers, guests, strangers, hasty: agents } = stage.world;
  const crowd: Record<string, (client: Client) => Promise<void>> = {
    replayer,
    reopener,
    keyed,
    hasty: hasty(agents),
    ...named("worker", workers.map(worker)),
    ...named("stranger", strangers.map(stranger)),
    ...named("owner", owners.map(reviewer)),
    ...named(
      "guest",
      guests.flatMap((guest, place) => {
        const owner = owners[place];
        return owner === undefined ? [] : [granting({ owner, guest })];
      }),
    ),
  };
  await Promise.all(Object.entries(crowd).map(([name, turn]) => runClient(stage, name, turn)));
}

function named<Turn>(name: string, turns: Turn[]): Record<string, Turn> {
  return Object.fromEntries(turns.map((turn, place) => [`${name}-${place}`, turn]));
}
