import { kindNamed, type Span } from "../kinds";
import { type Folded, spanOf } from "../read/fold";
import { matchesOf } from "../read/matches";
import imitated from "../tables/interface.json";
import machine from "../tables/machine.json";
import phraseTable from "../tables/phrases.json";

/** Every place of these in the text. */
export function findPieces(folded: Folded, pieces: readonly string[]): Span[] {
  return pieces.flatMap((piece) =>
    placesOf(folded.text, piece).map(({ start, end }) => spanOf(folded, start, end)),
  );
}

function placesOf(text: string, piece: string): Span[] {
  const places: Span[] = [];
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1)) {
    places.push({ start: at, end: at + piece.length });
  }
  return places;
}

const speaker =
  /(?:^|\n|\\n)[ \t]{0,20}(?:system|assistant|developer|tool|human|user|ai)[ \t]{0,3}:/g;
// In the midst of a line, or by the name of another language.
const turn =
  /(?:[.!?。！？][ \t]{0,3}|\n[ \t]{0,3}|\\n)(?:system|assistant|human|mensch|assistent|systeme|assistente|asistente|sistema|humano|umano|asystent|uzytkownik|ассистент|система|человек|пользователь|asistan|sistem|系统|系統|助手|人类|用户|システム|アシスタント|人間|ユーザー|시스템|어시스턴트)[ \t]{0,3}:/g;

const tag = /<\/?(?:div|form|span|body|html|input|object|embed|base|meta|link|invoke)(?=[\s>/])/g;
// A name beside others of its kind is no command: "zsh | bash | fish".
const piped = /\| ?(?:bash|zsh|iex)(?![\p{L}\p{N}]| ?\|)/gu;
const sudo =
  /(?<![\p{L}\p{N}])sudo (?:[-/]|(?:apt(?:-get)?|bash|cat|chmod|chown|cp|crontab|curl|dd|dnf|docker|iptables|kill|killall|mount|mv|nano|pacman|passwd|pip|python3?|reboot|rm|service|sh|shutdown|snap|su|systemctl|tee|ufw|useradd|usermod|vim|visudo|wget|yum)(?![\p{L}\p{N}]))/gu;

/** Commands for a machine: marks of roles, calls of tools, markup, queries, shell. */
export function findMachine(folded: Folded): Span[] {
  return [
    ...findPieces(squeezed(folded, /\s+/g), machine.pieces),
    ...matches(folded, speaker),
    ...[turn, tag, piped, sudo].flatMap((pattern) => matches(folded, pattern)),
  ];
}

const codes =
  /(?<![\p{L}\p{N}])(?:prof0\d\d|prof:[a-z*]|did:prof:|prop_[0-9a-z]{8}|mem_[0-9a-z]{8})/gu;

/** Words of the gateway's own pages, and its codes and names. */
export function findImitations(folded: Folded): Span[] {
  const plain = findPieces(squeezed(folded, /[ \t*_`~]+/g), imitated.phrases);
  return [...findPieces(folded, imitated.phrases), ...plain, ...matches(folded, codes)];
}

/** With one space for each run of such signs, so that none of them keeps a piece from being found. */
function squeezed({ text, from, to }: Folded, run: RegExp): Folded {
  const runs = matchesOf(text, run);
  if (runs.every(({ 0: one }) => one === " ")) return { text, from, to };
  const units: number[] = [];
  let at = 0;
  for (const { 0: one, index } of runs) {
    for (; at < index; at++) units.push(at);
    units.push(index);
    at = index + one.length;
  }
  for (; at < text.length; at++) units.push(at);
  return {
    text: text.replace(run, " "),
    from: units.map((unit) => from[unit] ?? 0),
    to: units.map((unit) => to[unit] ?? 0),
  };
}

function matches(folded: Folded, pattern: RegExp): Span[] {
  return matchesOf(folded.text, pattern).map(({ 0: found, index }) =>
    spanOf(folded, index, index + found.length),
  );
}

// Pieces one after another: `a|b` either of them, `*3` up to three other characters of the same sentence.
const phrases = phraseTable.phrases.map(({ kind, text }) => ({
  kind: kindNamed(kind),
  steps: text.split(/ ?\*(?=\d)/).map((part, place) => ({
    gap: place === 0 ? 0 : Number.parseInt(part, 10),
    pieces: part
      .replace(place === 0 ? "" : /^\d+/, "")
      .replaceAll(" ", "")
      .split("|"),
  })),
}));
const sentenceEnd = /[.!?。！？…]/;
const ascii = /^[ -~\n]*$/;

/** Phrases of languages without spaces between words. */
export function findPhrases(folded: Folded) {
  if (ascii.test(folded.text)) return [];
  const dense = withoutSpaces(folded);
  const signs = new Set(dense.text);
  return phrases.flatMap(({ kind, steps }) => {
    const [first, ...others] = steps.map(({ gap, pieces }) => ({
      gap,
      pieces: pieces.filter((piece) => signs.has(piece[0] ?? "")),
    }));
    if (first === undefined || others.some(({ pieces }) => pieces.length === 0)) return [];
    const places = first.pieces.flatMap((piece) => placesOf(dense.text, piece));
    return places.flatMap(({ start, end }) => {
      const last = others.reduce((at, step) => endAfter(dense.text, at, step), end);
      return last === -1 ? [] : [{ kind, ...spanOf(dense, start, last) }];
    });
  });
}

/** Where the next step ends, of which the pieces are near; -1 where there is none. */
function endAfter(text: string, at: number, { gap, pieces }: { gap: number; pieces: string[] }) {
  if (at === -1) return -1;
  const found = pieces.flatMap((piece) => {
    const skipped = text.slice(at, at + gap + piece.length).indexOf(piece);
    const isNear = skipped !== -1 && !sentenceEnd.test(text.slice(at, at + skipped));
    return isNear ? [at + skipped + piece.length] : [];
  });
  return found.length > 0 ? Math.min(...found) : -1;
}

function withoutSpaces({ text, from, to }: Folded): Folded {
  if (!/\s/.test(text)) return { text, from, to };
  const units = [...text.split("").keys()].filter((unit) => !/\s/.test(text[unit] ?? ""));
  return {
    text: units.map((unit) => text[unit]).join(""),
    from: units.map((unit) => from[unit] ?? 0),
    to: units.map((unit) => to[unit] ?? 0),
  };
}
