import { importsOf, type Source } from "./sources";

/** Returns every set of files that import each other in a circle, types included; each set sorted. */
export function importCircles(sources: Source[]): string[][] {
  const names = new Map(sources.map(({ file }) => [file.replace(/\.\w+$/, ""), file]));
  const edges = new Map(
    sources.map((source) => [
      source.file,
      importsOf(source).flatMap((name) => names.get(name.replace(/\.m?[jt]sx?$/, "")) ?? []),
    ]),
  );
  return strongComponents(edges)
    .filter((files) => files.length > 1)
    .map((files) => files.sort())
    .sort(([one = ""], [other = ""]) => one.localeCompare(other));
}

// Tarjan's algorithm: a component is complete when its search returns to the file that it began with.
function strongComponents(edges: ReadonlyMap<string, string[]>): string[][] {
  const found: string[][] = [];
  const path: string[] = [];
  const lowest = new Map<string, number>();
  const isDone = new Set<string>();
  const visit = (file: string): number => {
    const order = lowest.size;
    let low = order;
    lowest.set(file, order);
    path.push(file);
    for (const next of edges.get(file) ?? []) {
      if (isDone.has(next)) continue;
      low = Math.min(low, lowest.get(next) ?? visit(next));
    }
    lowest.set(file, low);
    if (low === order) {
      const component = path.splice(path.indexOf(file));
      for (const member of component) isDone.add(member);
      found.push(component);
    }
    return low;
  };
  for (const file of edges.keys()) if (!isDone.has(file)) visit(file);
  return found;
}
