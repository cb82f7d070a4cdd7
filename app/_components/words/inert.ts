import { hiddenOne } from "@/lib/protocol/flags";

export interface Piece {
  kind: "text" | "token";
  text: string;
  /** The meaning of a token, in words. */
  meaning?: string;
}

const names: Record<string, string> = {
  "\t": "tab",
  "\r": "carriage return",
  "\u00ad": "soft hyphen",
  "\u061c": "Arabic letter mark",
  "\u200b": "zero-width space",
  "\u200c": "zero-width non-joiner",
  "\u200d": "zero-width joiner",
  "\u200e": "left-to-right mark",
  "\u200f": "right-to-left mark",
  "\u2028": "line separator",
  "\u2029": "paragraph separator",
  "\u202a": "left-to-right embedding",
  "\u202b": "right-to-left embedding",
  "\u202c": "end of direction",
  "\u202d": "left-to-right override",
  "\u202e": "right-to-left override",
  "\u2060": "word joiner",
  "\u2066": "left-to-right isolate",
  "\u2067": "right-to-left isolate",
  "\u2068": "first-strong isolate",
  "\u2069": "end of isolate",
  "\ufeff": "byte order mark",
};

// Emoji are joined and coloured by invisible characters; those stay, where they do just that.
const emoji = "\\p{Extended_Pictographic}(?:\\ufe0f|\\p{Emoji_Modifier})?";
const joinedEmoji = new RegExp(`${emoji}(?:\\u200d${emoji})*|[0-9#*]\\ufe0f?\\u20e3`, "uy");

const marksMax = 4;
const pileOfMarks = new RegExp(`\\p{M}{${marksMax + 1},}`, "uy");

/** Text of somebody else's, cut so that nothing in it can act: what is hidden becomes a token. */
export function inertPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let plain = "";
  const flush = () => {
    if (plain !== "") pieces.push({ kind: "text", text: plain });
    plain = "";
  };
  for (let at = 0; at < text.length; ) {
    const kept = match(joinedEmoji, text, at);
    const pile = match(pileOfMarks, text, at);
    const one = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (pile !== null) {
      plain += [...pile].slice(0, marksMax).join("");
      flush();
      const count = [...pile].length - marksMax;
      pieces.push({
        kind: "token",
        text: `+${count}`,
        meaning: `${count} more marks on one letter`,
      });
    } else if (kept !== null) {
      plain += kept;
    } else if (one !== "\n" && hiddenOne.test(one)) {
      flush();
      pieces.push(tokenOf(one));
    } else {
      plain += one;
    }
    at += (pile ?? kept ?? one).length;
  }
  flush();
  return pieces;
}

const tokensMax = 8;

/** Returns the pieces that a page draws: beyond a few tokens it counts the hidden characters at the end. */
export function drawnPieces(text: string): Piece[] {
  const drawn: Piece[] = [];
  let tokens = 0;
  for (const piece of inertPieces(text)) {
    const last = drawn.at(-1);
    if (piece.kind === "token" && ++tokens > tokensMax) continue;
    if (piece.kind === "text" && last?.kind === "text") last.text += piece.text;
    else drawn.push(piece);
  }
  const more = tokens - tokensMax;
  if (more > 0) {
    drawn.push({ kind: "token", text: `+${more}`, meaning: `${more} more hidden characters` });
  }
  return drawn;
}

/** Returns the text without invisible characters, for a field to edit. */
export function visibleText(text: string): string {
  return inertPieces(text)
    .map((piece) => (piece.kind === "text" ? piece.text : ""))
    .join("");
}

export function hiddenCount(text: string): number {
  return inertPieces(text).filter(({ kind }) => kind === "token").length;
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function tokenOf(one: string): Piece {
  const point = one.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
  const name = Object.hasOwn(names, one) ? names[one] : undefined;
  const meaning = name ?? (point < 32 || (point > 126 && point < 160) ? "control character" : null);
  return { kind: "token", text: code, meaning: meaning ?? "hidden character" };
}
