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

// "password of the flat is" may be read; a phrase of words alone may not.
const words = /^(?:\p{L}+[\s:=]+)+(?=\S*[^\p{L}\s:])/u;

function masked(secret: string): string {
  const said = words.exec(secret)?.[0] ?? "";
  const rest = [...secret.slice(said.length)];
  return `${said}${rest.slice(0, before).join("")}…${rest.slice(-after).join("")}`;
}
