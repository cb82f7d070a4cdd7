import type { Span } from "../kinds";
import { type Folded, spanOf } from "../read/fold";
import { matchesOf } from "../read/matches";
import ibans from "../tables/iban.json";
import table from "../tables/keys.json";

/** Passwords, keys and account numbers. */
export function findSecrets(text: string, folded: Folded): Span[] {
  return [
    ...[...cards(folded), ...accounts(folded)].map(({ start, end }) => spanOf(folded, start, end)),
    ...keys(text),
    ...marked(text),
    ...passwords(folded),
    ...seeds(folded),
  ];
}

const spanAt = ({ 0: found, index = 0 }: RegExpMatchArray): Span => ({
  start: index,
  end: index + found.length,
});

const digitRun = /\d(?:[ -]?\d)*/g;
// With other signs between them, four groups of four that are no part of a longer list.
const fourFours =
  /(?<!\d[^\p{L}\p{N}]{0,3})\d{4}(?<gap>[.·|*_/,\u2010-\u2015]|\s{1,3}|--| [–—-] )\d{4}\k<gap>\d{4}\k<gap>\d{4}(?!\k<gap>\d)/gu;
const issuer =
  /^(?:4|5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|3[47]|3[0689]|6011|65|64[4-9]|35(?:2[89]|[3-8])|62)/;

function cards({ text }: Folded): Span[] {
  return [digitRun, fourFours].flatMap((pattern) =>
    matchesOf(text, pattern).flatMap((found) => {
      const digits = found[0].replace(/\D/g, "");
      const isCard =
        digits.length >= 13 && digits.length <= 19 && issuer.test(digits) && passesLuhn(digits);
      return isCard ? [spanAt(found)] : [];
    }),
  );
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  [...digits].reverse().forEach((digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  });
  return sum % 10 === 0;
}

const lengths = new Map<string, number>(Object.entries(ibans.lengths));
const ibanHead = /(?<=(?:^|[^\p{L}\p{N}])(?:iban)?)([a-z]{2})[\s.-]?\d[\s.-]?\d/gu;
const gap = /[\s.·|_/\u2010-\u2015-]/;

function accounts({ text }: Folded): Span[] {
  return matchesOf(text, ibanHead).flatMap(({ 1: country = "", index }) => {
    const length = lengths.get(country.toUpperCase());
    if (length === undefined) return [];
    let account = "";
    let end = index;
    while (end < text.length && account.length < length) {
      const one = text[end] ?? "";
      if (/[a-z0-9]/.test(one)) account += one.toUpperCase();
      else if (!gap.test(one)) break;
      end++;
    }
    const isAlone = !/[\p{L}\p{N}]/u.test(text[end] ?? "");
    return account.length === length && isAlone && remainderOf(account) === 1
      ? [{ start: index, end }]
      : [];
  });
}

function remainderOf(account: string): number {
  let remainder = 0;
  for (const one of account.slice(4) + account.slice(0, 4)) {
    for (const digit of String(Number.parseInt(one, 36))) {
      remainder = (remainder * 10 + Number(digit)) % 97;
    }
  }
  return remainder;
}

const keyRest = /[\w.~+/=-]*/y;

function keys(text: string): Span[] {
  const spans: Span[] = [];
  for (const { prefix, minLength } of table.keys) {
    let end = 0;
    for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + 1)) {
      // One inside of another ends with it: its rest is read once.
      keyRest.lastIndex = Math.max(at + prefix.length, end);
      end = keyRest.lastIndex + (keyRest.exec(text)?.[0].length ?? 0);
      // One that ends with a sign is the end of no word.
      const isWord =
        /[^A-Za-z0-9]$/.test(prefix.slice(3)) || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");
      if (isWord && end - at >= minLength) spans.push({ start: at, end });
    }
  }
  return spans;
}

const signs = [
  /\b(?:bearer|basic) (?=[\w.~+/=-]*\d)(?=[\w.~+/=-]*[A-Z])[\w.~+/=-]{16,}/gi,
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,60}:[^\s@/]{3,100}@/gi,
  /\b\d{8,10}:AA[\w-]{33}\b/g,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  /\b0x[0-9a-fA-F]{40}(?:[0-9a-fA-F]{24})?\b/g,
  /\b(?=[a-km-zA-HJ-NP-Z1-9]*[a-z])(?=[a-km-zA-HJ-NP-Z1-9]*[A-Z])[13][a-km-zA-HJ-NP-Z1-9]{25,34}\b/g,
  // Private keys of wallets as they are exported: 51 or 52 signs, and 88.
  /\b(?=[1-9A-HJ-NP-Za-km-z]{0,60}[a-z])(?=[1-9A-HJ-NP-Za-km-z]{0,60}[A-Z])(?:[KLc][1-9A-HJ-NP-Za-km-z]{51}|[59][1-9A-HJ-NP-Za-km-z]{50})\b/g,
  /\b(?=[1-9A-HJ-NP-Za-km-z]{0,90}\d)(?=[1-9A-HJ-NP-Za-km-z]{0,90}[A-Z])[1-9A-HJ-NP-Za-km-z]{86,88}\b/g,
  /\b6P[1-9A-HJ-NP-Za-km-z]{56}\b/g,
  /\b(?:bc1|ltc1)[02-9ac-hj-np-z]{25,60}\b/g,
];

function marked(text: string): Span[] {
  return [...signs.flatMap((sign) => matchesOf(text, sign).map(spanAt)), ...webTokens(text)];
}

const signRun = /(?<![A-Za-z0-9])[A-Za-z0-9]{24,}(?![A-Za-z0-9])/g;

/** What no word and no name is: long, of capitals, small letters and digits in turns. */
export function findTokens(text: string): Span[] {
  return matchesOf(text, signRun)
    .filter(({ 0: run }) => {
      const numbers = run.match(/\d+/g) ?? [];
      const turns = run.match(/[a-z][A-Z]|[A-Z]{2}[a-z]/g) ?? [];
      return numbers.length > 2 && turns.length > 2;
    })
    .map(spanAt);
}

const dottedRun = /[\w.-]+/g;
const partMin = 8;

/** JSON Web Tokens: three parts, of which two begin like an object in base64. */
function webTokens(text: string): Span[] {
  return matchesOf(text, dottedRun).flatMap((found) => {
    const parts = found[0].split(".").filter(Boolean);
    const isToken =
      parts.length === 3 &&
      parts.every((part) => part.length >= partMin) &&
      parts.slice(0, 2).every((part) => part.startsWith("eyJ"));
    return isToken ? [spanAt(found)] : [];
  });
}

const named =
  /(?:pass ?words?|passwd|pwd|pass ?phrase|passcode|passwort|kennwort|(?<!\p{L})pin(?: ?code)?|contrasena|clave|mot de passe|wachtwoord|password e|senha|haslo|sifre|parola|geheimzahl|парол[ья]|密码|密碼|口令|パスワード|비밀번호|api[ _-]?key|secret key|access key|wi-?fi key|network key)(?: ?\([^)]{1,40}\))?(?: (?:for|of|to|fur|von|vom|zu|zum|zur|de|du|del|do|dla|voor|van|per|от|для|к) [^\s:=]{1,40}(?: [^\s:=]{1,40}){0,3}?)?["'*_`>\s]{0,3}(?:is now|is|are|(?:was |has been )?(?:changed|set) to|lautet|ist|c'est|es|est|e|[:=|→–—-]|->|=>|は|是|为|為|는|은)["'*_`\s]{0,3}[:"'„“«]?\s?(?<value>[^\s"'„“”«»,;]{4,200})/giu;
// Without "is" the value itself has to look like one.
const beside =
  /(?:password|passwd|pwd|passphrase|passcode|passwort|contrasena|mot de passe)\s(?<value>(?=[^\s]{0,200}\d)(?=[^\s]{0,200}[a-z])[^\s"'„“”«»,;]{8,200})/giu;
const pin =
  /(?<!\p{L})(?:pin|passcode|geheimzahl)(?: ?code)? (?<value>(?!(?:19|20)\d\d)\d{4})(?![\d.,]*\d)/gu;
// Numbers that open something, pay or prove who someone is. A year does not count.
const numberNames =
  "cvv2?|cvc2?|ssn|social security (?:number|no\\.?)|(?:2fa|mfa|otp|tan|one-time|verification|security|backup|recovery|unlock|door|gate|alarm|safe|vault|lock|entry|access)(?: backup| recovery)? (?:code|combination)s?";
const foreignNumberNames =
  "(?:sicherheits|bestatigungs|zugangs|tur|alarm|tresor)code|code (?:de securite|de verification|de la porte|d'acces)|codigo de (?:seguridad|verificacion|acceso|la puerta)";
const numbered = new RegExp(
  `(?<!\\p{L})(?:${numberNames}|${foreignNumberNames})(?: (?:for|of|to|at|on|in|fur|von|zu|zur|am|de|du|del|pour|para) [^\\s:=\\d]{1,40}(?: [^\\s:=\\d]{1,40}){0,3}?(?=:|=| (?:is|are|ist|lautet|est|es) ))?(?: (?:is|are|ist|lautet|est|es))?\\s?[:=#]?\\s?(?<value>(?!(?:19|20)\\d\\d(?!\\d))\\d(?:[ -]?\\d){2,15})(?![\\d.,]*\\d)`,
  "gu",
);
// Words of many meanings: only what looks like a key follows.
const brief =
  /(?<!\p{L})(?:pw|pass|token|secret)\s{0,3}[:=]\s{0,3}["'`]?(?<value>(?=[^\s]{0,200}\d)(?=[^\s]{0,200}[a-z])(?=[^\s]{0,200}[^\d\s.,;:/-])[^\s"'„“”«»,;]{8,200})/giu;
const values = /[\d!$%&/()=?*+~#^@_<>|\\]/;

function passwords(folded: Folded): Span[] {
  const found = [named, beside, pin, numbered, brief].flatMap((pattern) =>
    matchesOf(folded.text, pattern),
  );
  return found.flatMap(({ 0: text, index, groups }) => {
    const isValue = values.test(groups?.value ?? "");
    return isValue ? [spanOf(folded, index, index + text.length)] : [];
  });
}

const seed =
  /(?:seed|recovery|mnemonic|secret|backup) ?(?:phrase|words|key)?(?: is| are)?\s?[:=]?\s?[a-z]{3,8}(?:[\s,]{1,2}[a-z]{3,8}){11,23}/g;
const namedSeed =
  /(?:seed|recovery|mnemonic|wallet|bip ?39|wiederherstellung|recuperation|recuperacion|recuperacao|recupero|semilla|semente|herstel|odzyskiwania|восстановления|сид|kurtarma|cuzdan|助记词|助記詞|ニーモニック|リカバリー|니모닉)[^:=\n]{0,40}[:=]\s?(?:\d\d?[.)] ?)?\p{L}{2,12}(?:[\s,;·-]{1,3}(?:\d\d?[.)] ?)?\p{L}{2,12}){11,23}/gu;

function seeds(folded: Folded): Span[] {
  const { text } = folded;
  const found = [...matchesOf(text, seed), ...matchesOf(text, namedSeed), ...bareSeeds(text)];
  return found.map(({ 0: one, index }) => spanOf(folded, index, index + one.length));
}

const wordRun = /(?<![a-z'-] ?)[a-z]{3,8}(?: [a-z]{3,8})*(?! ?[a-z'(-])/g;
const seedLengths = new Set([12, 15, 18, 21, 24]);
const functionWords = new Set(table.functionWords);

/** As many words as such a phrase has, in a row, none of which holds a sentence together. */
function bareSeeds(text: string): RegExpExecArray[] {
  return matchesOf(text, wordRun).filter(({ 0: run }) => {
    const words = run.split(" ");
    return seedLengths.has(words.length) && !words.some((word) => functionWords.has(word));
  });
}
