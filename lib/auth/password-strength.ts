// How many guesses a password would take, by zxcvbn. Its dictionaries take 70 MB, so they are loaded
// when the first new password comes; and a long text takes it long, so it sees only the beginning.

const seenMax = 32;

type Estimate = (text: string, words: string[]) => number;

let loading: Promise<Estimate> | undefined;

/** `words` are guessed first: the person's own, and what everybody knows. */
export async function guessesOf(password: string, words: readonly string[]): Promise<number> {
  loading ??= load();
  const estimate = await loading;
  return estimate(Array.from(password).slice(0, seenMax).join(""), [...words]);
}

async function load(): Promise<Estimate> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
    import("@zxcvbn-ts/language-en"),
  ]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
  });
  return (text, words) => zxcvbn.check(text, words).guesses;
}
