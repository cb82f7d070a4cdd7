import type { Figures } from "./rounds";

const head = [
  "| Endpoint | requests/s | of the floor | target | p50 ms | p99 ms | CPU ms server + database | RSS MB | floor: requests/s, CPU ms |",
  "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
];

export function table(all: Figures[]): string {
  return [...head, ...all.map(row)].join("\n");
}

function row({ line, ratio, target, gateway, floor }: Figures): string {
  const cells = [
    line,
    gateway.perSecond.toFixed(0),
    ratio.toFixed(2),
    target.toFixed(2),
    gateway.p50Ms.toFixed(1),
    gateway.p99Ms.toFixed(1),
    `${gateway.serverCpuMs.toFixed(2)} + ${gateway.databaseCpuMs.toFixed(2)}`,
    gateway.rssMb.toFixed(0),
    `${floor.perSecond.toFixed(0)}, ${floor.serverCpuMs.toFixed(2)} + ${floor.databaseCpuMs.toFixed(2)}`,
  ];
  return `| ${cells.join(" | ")} |`;
}

export function breachesOf({ line, ratio, target, gateway, floor }: Figures): string[] {
  return [
    ...(ratio < target ? [`${line} reaches ${ratio.toFixed(2)} of the floor, not ${target}`] : []),
    ...[gateway, floor].flatMap(({ failed }) =>
      failed > 0 ? [`${line}: ${failed} requests had another answer`] : [],
    ),
  ];
}
