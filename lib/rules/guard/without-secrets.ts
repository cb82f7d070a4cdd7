import { flagsOf } from "./flags";

const before = 4;
const after = 2;

/** Returns a text for a list or a mail: of what looks like a password or a number, only its ends. */
export function withoutSecrets(text: string): string {
  const secrets = flagsOf(text).filter(({ kind }) => kind === "secret");
  return secrets.reduceRight((left, { start, end }) => {
    return `${left.slice(0, start)}${masked(text.slice(start, end))}${left.slice(end)}`;
  }, text);
}

function masked(secret: string): string {
  const shown = lengthOfWords(secret);
  const rest = [...secret.slice(shown)];
  return `${secret.slice(0, shown)}${rest.slice(0, before).join("")}…${rest.slice(-after).join("")}`;
}

const word = /^\p{L}+[:=]?$/u;

/** "password of the flat is " may be read; a phrase of words alone may not. */
function lengthOfWords(secret: string): number {
  const tokens = secret.split(" ");
  const first = tokens.findIndex((token) => !word.test(token));
  return first === -1 ? 0 : tokens.slice(0, first).join(" ").length + (first === 0 ? 0 : 1);
}
