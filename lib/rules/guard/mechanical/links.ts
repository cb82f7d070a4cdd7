import type { Span } from "../kinds";
import { type Folded, spanOf } from "../read/fold";
import { matchesOf } from "../read/matches";
import table from "../tables/endings.json";

const endings = new Set(table.endings.split(" "));
const files = new Set(table.files.split(" "));
const products = new Set(table.products.split(" "));

const dot = "(?:\\.|(?<=[a-z0-9])。(?=[a-z0-9])|\\s?[\\[({]\\s?(?:\\.|dot)\\s?[\\])}]\\s?)";
const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,62})";
// Not taken with it: what follows a host may be another address.
const path = "(?=(?<path>(?::\\d{1,5})?(?:[/?#]\\S{0,500})?))";
const scheme = "(?:(?<scheme>h(?:tt|xx)ps?|ftp|wss?|file|mailto):(?://)?)?";
// Sought at each dot: sought at each letter, a long word takes 63 steps for each.
const address = new RegExp(
  `(?=${dot})(?<=(?<head>${scheme}(?<first>${label})))(?<others>(?:${dot}${label}){1,8})${path}`,
  "giu",
);
const dots = new RegExp(dot, "gu");
const bare = /(?<![a-z0-9+.-])(?:[a-z][a-z0-9+.-]{1,30}:\/\/|magnet:\?|data:[a-z]+\/)\S{1,500}/giu;
const spelled =
  /(?= )(?<=(?<head>[\p{L}\p{N}-]{2,63})) (?:(?:dot|punkt|punto|point) (?:com|org|net|io|dev|app|co|ai|shop|xyz|info|biz|ru|cn)|(?:dot|punkt) de)(?![\p{L}\p{N}])/giu;
// Eight groups, or fewer around "::": not a time, a ratio, or the address of a network card.
const hextets =
  /(?<![\p{L}\p{N}:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){1,7}(?::[0-9a-f]{1,4}){1,7})(?!:?[\p{L}\p{N}])/giu;
const octets = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Web and e-mail addresses, but those of `known` hosts, of hosts below them, and known e-mail addresses. */
export function findLinks(folded: Folded, known: readonly string[]): Span[] {
  const isKnown = ({ user, host }: Address) =>
    known.includes(`${user}${host}`) ||
    (user === "" && known.some((one) => host.endsWith(`.${one}`)));
  return addressesIn(folded).filter((one) => !isKnown(one));
}

export interface Address extends Span {
  /** "mia@" of an e-mail address, else empty. */
  user: string;
  host: string;
}

/** The web and e-mail addresses in a folded text. */
export function addressesIn(folded: Folded): Address[] {
  const found: Address[] = [];
  for (const { 0: text, index, groups = {} } of matchesOf(folded.text, address)) {
    const { head = "", scheme = "", first = "", others = "", path: rest = "" } = groups;
    const host = (first + others).replace(dots, ".");
    const start = index - head.length;
    const end = index + text.length + rest.length;
    // "mia.smith@example.com": the name looks like a host, too.
    if (folded.text[index + text.length] === "@") continue;
    const user = userBefore(folded.text, start);
    const isLink = scheme !== "" || isHost(host, user !== "" || rest !== "");
    if (isLink) found.push({ ...spanOf(folded, start - user.length, end), user, host });
  }
  const networks = matchesOf(folded.text, hextets).filter(({ 0: text }) => isNetwork(text));
  const others = [...matchesOf(folded.text, spelled), ...networks];
  for (const { 0: text, index, groups: { head = "" } = {} } of others) {
    const span = spanOf(folded, index - head.length, index + text.length);
    found.push({ ...span, user: "", host: head + text });
  }
  for (const { 0: text, index } of matchesOf(folded.text, bare)) {
    const host = /^[^/]*\/\/([^/?#\s]*)/.exec(text)?.[1] ?? "";
    found.push({ ...spanOf(folded, index, index + text.length), user: "", host });
  }
  return found;
}

/** Whether it is no scope of a program, such as "A::B". */
function isNetwork(text: string): boolean {
  const groups = text.split(":").filter(Boolean);
  return groups.join("").length > 4 && groups.filter((group) => /\d/.test(group)).length > 1;
}

const userMax = 64;

/** "mia@" before a host; empty where there is none. */
function userBefore(text: string, host: number): string {
  if (text[host - 1] !== "@") return "";
  let start = host - 1;
  while (start > 0 && host - start <= userMax && /[^\s@/]/.test(text[start - 1] ?? "")) start--;
  return start === host - 1 ? "" : text.slice(start, host);
}

// Names of files, numbers with a dot and abbreviations are no hosts, unless a path or a user says so.
function isHost(host: string, hasMore: boolean): boolean {
  if (octets.test(host)) return host.split(".").every((octet) => Number(octet) < 256);
  const labels = host.split(".");
  const ending = labels.at(-1) ?? "";
  if (!endings.has(ending) && !ending.startsWith("xn--")) return false;
  if (products.has(host)) return false;
  return hasMore || !files.has(ending);
}
