export interface Change {
  kind: "same" | "removed" | "added";
  text: string;
}

const cellsMax = 1_000_000;

/** Compares two texts word by word. */
export function diffWords(before: string, after: string): Change[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  const shorter = Math.min(old.length, now.length) - head;
  while (tail < shorter && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const middle = changed(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  const start = change("same", old.slice(0, head));
  const end = change("same", old.slice(old.length - tail));
  const changes = joined([start, ...middle, end]);
  if (changes.length <= changesMax) return changes;
  const replaced = old.slice(head, old.length - tail);
  const replacement = now.slice(head, now.length - tail);
  return joined([start, change("removed", replaced), change("added", replacement), end]);
}

function change(kind: Change["kind"], words: readonly string[]): Change {
  return { kind, text: words.join("") };
}

// More of them are no easier to read than both texts are.
const changesMax = 100;

function wordsOf(text: string): string[] {
  return text.match(/\s+|\S+/gu) ?? [];
}

// The longest common subsequence; texts too long for its table are shown as one replacement.
function changed(old: string[], now: string[]): Change[] {
  if (old.length * now.length > cellsMax) return [change("removed", old), change("added", now)];
  const width = now.length + 1;
  const longest = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    const [word = "", other = ""] = [old[i], now[j]];
    const kind = word === other ? "same" : at(i + 1, j) >= at(i, j + 1) ? "removed" : "added";
    changes.push({ kind, text: kind === "added" ? other : word });
    if (kind !== "added") i++;
    if (kind !== "removed") j++;
  }
  return [...changes, change("removed", old.slice(i)), change("added", now.slice(j))];
}

function joined(changes: Change[]): Change[] {
  const pieces: Change[] = [];
  for (const { kind, text } of changes) {
    if (text === "") continue;
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  }
  return pieces;
}
