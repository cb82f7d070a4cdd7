import { canaryPattern, contentPattern } from "../world";
import type { Evidence, Invariant } from "./evidence";

// What a run leaves behind in logs and processes.

// Keys, cookies and tokens are at least that long and of these letters only: one lies whole in such a run.
const longRun = /[\w-]{43,}/g;

export const logsTellNothing: Invariant = {
  name: "no log line holds a secret or what a profile holds",
  breaches({ logs, world }) {
    return logs.flatMap(({ name, text }) =>
      text.split("\n").flatMap((line, number) => {
        const runs = line.match(longRun) ?? [];
        const isTold =
          line.search(canaryPattern) >= 0 ||
          contentPattern.test(line) ||
          runs.some((run) => world.secrets.some((secret) => run.includes(secret)));
        return isTold ? [`${name}, line ${number + 1}`] : [];
      }),
    );
  },
};

export const accessLogsVerify: Invariant = {
  name: "each profile's access log is sealed and verifies",
  breaches({ stored }) {
    return stored.logs.flatMap(({ profile, intact, sealed, unsealed }) => {
      if (!intact) return [`the log of ${profile} is broken after ${sealed} events`];
      return unsealed > 0 ? [`${unsealed} events of ${profile} are not sealed`] : [];
    });
  },
};

const rssShareMax = 1.25;
const rssSlackMb = 16;
// As many as a pool may have open or not.
const descriptorsSlack = 10;

export const nothingPilesUp: Invariant = {
  name: "memory and file descriptors return to what they were",
  breaches: ({ weights }) => weights.flatMap(pilesUp),
};

function pilesUp({ app, before, after }: Evidence["weights"][number]): string[] {
  return [
    ...(after.descriptors > before.descriptors + descriptorsSlack
      ? [`gateway ${app} holds ${after.descriptors} descriptors, ${before.descriptors} before`]
      : []),
    ...(after.rssMb > before.rssMb * rssShareMax + rssSlackMb
      ? [`gateway ${app} holds ${after.rssMb.toFixed(0)} MB, ${before.rssMb.toFixed(0)} before`]
      : []),
  ];
}
