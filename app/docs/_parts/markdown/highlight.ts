export interface Piece {
  kind: "plain" | "note" | "name" | "text" | "value" | "word";
  /** The index of its first character. */
  at: number;
  text: string;
}

type Rule = readonly [kind: Piece["kind"], pattern: RegExp];

const quoted: Rule = [
  "text",
  /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`/,
];
const value: Rule = ["value", /\b\d[\d_.]*\b|\b(?:true|false|null|undefined|None|True|False)\b/];
const hashNote: Rule = ["note", /(?<=^|\s)#.*/];
const member: Rule = ["name", /"(?:[^"\\\n]|\\.)*"(?=\s*:)/];

// The first rule that matches at a place wins.
const languages: Readonly<Record<string, readonly Rule[]>> = {
  json: [member, quoted, value],
  http: [
    ["word", /^(?:GET|POST|PUT|PATCH|DELETE)\b/],
    ["name", /^[A-Z][\w-]*(?=: )/],
    ...[member, quoted],
  ],
  sh: [
    hashNote,
    // Between single quotes a backslash is a character like any other.
    ["text", /"(?:[^"\\]|\\[\s\S])*"|'[^']*'/],
    ["name", /\$\w+|\$\{[^}]*\}|^\w+(?==)/],
    ["word", /(?<=\s)--?[A-Za-z][\w-]*/],
  ],
  ts: [
    ["note", /(?<=^|\s)\/\/.*/],
    quoted,
    [
      "word",
      /\b(?:async|await|const|from|function|if|import|let|new|return|throw|type|undefined)\b/,
    ],
    value,
  ],
  python: [
    hashNote,
    quoted,
    ["word", /\b(?:as|def|else|except|for|from|if|import|in|is|lambda|return|try|with)\b/],
    value,
  ],
};

/** Splits code into pieces to colour; together they are the code. Another language is one plain piece. */
export function highlighted(code: string, language: string): Piece[] {
  const rules = languages[language] ?? [];
  if (rules.length === 0) return [{ kind: "plain", at: 0, text: code }];
  const any = anyOf(rules.map(([, { source }]) => `(${source})`).join("|"));
  const pieces: Piece[] = [];
  let end = 0;
  for (let match = any.exec(code); match !== null; match = any.exec(code)) {
    const { 0: text, index: at } = match;
    const matched = match.indexOf(text, 1) - 1;
    if (at > end) pieces.push({ kind: "plain", at: end, text: code.slice(end, at) });
    pieces.push({ kind: rules[matched]?.[0] ?? "plain", at, text });
    end = at + text.length;
  }
  return [...pieces, { kind: "plain", at: end, text: code.slice(end) }];
}

function anyOf(alternatives: string): RegExp {
  return new RegExp(`${alternatives}`, "gm");
}
