/** Every match of a global expression in a text. */
export function matchesOf(text: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let one = pattern.exec(text); one !== null; one = pattern.exec(text)) {
    found.push(one);
    if (one[0] === "") pattern.lastIndex++;
  }
  return found;
}
