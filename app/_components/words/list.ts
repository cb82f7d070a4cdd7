// Apart from the words for categories: these go to the browser, and the protocol need not.

export function list(words: readonly string[]): string {
  const last = words.at(-1) ?? "nothing";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** "1 receipt", "2 receipts". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
