import type { Figures, Finding } from "./run";

export function figuresText({
  requests,
  statuses,
  kinds,
  slowest,
  stalls,
  seconds,
}: Figures): string {
  const row = (counts: Map<string | number, number>) =>
    [...counts]
      .toSorted(([one], [other]) => String(one).localeCompare(String(other)))
      .map(([name, count]) => `${name}: ${count}`)
      .join("  ");
  return [
    `requests   ${requests} in ${seconds.toFixed(1)} s, ${Math.round(requests / seconds)} a second`,
    `by status  ${row(statuses)}`,
    `by kind    ${row(kinds)}`,
    `slowest    ${slowest.ms.toFixed(0)} ms (number ${slowest.number}, ${slowest.kind}), ${stalls} over 2 s and in time when asked again`,
  ].join("\n");
}

export function findingText({ number, kind, faults, sent, heard }: Finding, seed: number): string {
  return [
    `✗ ${kind}, number ${number}: ${faults.join("; ")}`,
    `  again:  npm run fuzz -- --seed ${seed} --replay ${number}`,
    `  sent:   ${sent.toString("base64")}`,
    `  heard:  ${heard.slice(0, 500)}`,
  ].join("\n");
}
