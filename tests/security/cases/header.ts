import { header, type Row, utf8 } from "../row";

// Spec, Authentication 1 and 5; Protocol 2: one way to read it, or none.

const names = ["did", "sig", "ts", "nonce"] as const;
const part = (name: string) => new RegExp(`${name}="[^"]*"`);
const scheme = (text: string) => header((all) => all.replace("PROF-Signature ", text));
const after = (text: string) => header((all) => all + text);
const swap = (from: string | RegExp, to: string) => header((all) => all.replace(from, () => to));

const taken: Row[] = [
  ["the scheme in lower case", scheme("prof-signature "), "200"],
  ["the scheme in capitals", scheme("PROF-SIGNATURE "), "200"],
  ["two spaces after the scheme", scheme("PROF-Signature  "), "200"],
  [
    "the parts the other way round",
    header((_, { did, sig, ts, nonce }) =>
      ["PROF-Signature nonce", nonce, ", ts", ts, ", sig", sig, ", did", did]
        .map((text, at) => (at % 2 === 0 ? `${text}="` : `${text}"`))
        .join(""),
    ),
    "200",
  ],
  ["no space after the commas", header((all) => all.replaceAll(", ", ",")), "200"],
  ["tabs around the commas", header((all) => all.replaceAll(", ", "\t,\t")), "200"],
  ["spaces around the equals signs", header((all) => all.replace(/\b(\w+)="/g, '$1 = "')), "200"],
  ["an unknown part behind", after(', realm="gateway"'), "200"],
  ["a comma at the end", after(","), "200"],
  ["an unknown part in front", scheme('PROF-Signature realm="", '), "200"],
  ["an unknown part with bytes above 127", after(`, note="${utf8("é")}"`), "200"],
  ["names of parts in capitals", swap("did=", "DID="), "200"],
  ["an escaped letter in a value", swap("did:prof", "\\did:prof"), "200"],
  [
    "a header of 4,096 bytes",
    header((all) => `${all}, x="${"x".repeat(4_090 - all.length)}"`),
    "200",
  ],
];

const refused: Row[] = [
  ["no header at all", header(() => "", { caller: "nobody" }), "401 PROF001"],
  ["an empty header", header(() => ""), "401 PROF001"],
  ["the scheme alone", header(() => "PROF-Signature"), "401 PROF001"],
  ["the parts without a scheme", scheme(""), "401 PROF001"],
  ["the scheme glued to the parts", scheme("PROF-Signature"), "401 PROF001"],
  ["a tab after the scheme", scheme("PROF-Signature\t"), "401 PROF001"],
  ["a comma after the scheme", scheme("PROF-Signature, "), "401 PROF001"],
  ["a colon after the scheme", scheme("PROF-Signature: "), "401 PROF001"],
  ["the scheme twice", scheme("PROF-Signature PROF-Signature "), "401 PROF001"],
  ["a longer scheme", scheme("PROF-Signatures "), "401 PROF001"],
  ["an underscore in the scheme", scheme("PROF_Signature "), "401 PROF001"],
  ["a Cyrillic letter in the scheme", scheme(utf8("РROF-Signature ")), "401 PROF001"],
  ["the scheme of something else", scheme("Signature "), "401 PROF001"],
  ["the scheme Digest", scheme("Digest "), "401 PROF001"],
  ["the scheme Bearer before the parts", scheme("Bearer "), "401 PROF001"],
  ["the whole header in quotes", header((all) => `"${all}"`), "401 PROF001"],
  ["two credentials in one header", header((all) => `${all}, ${all}`), "401 PROF001"],
  ["two commas at the end", after(",,"), "401 PROF001"],
  ["a comma at the beginning", scheme("PROF-Signature , "), "401 PROF001"],
  ["two commas", swap(", ts", ",, ts"), "401 PROF001"],
  ["a semicolon between the parts", swap(", ts", "; ts"), "401 PROF001"],
  ["only a space between the parts", swap(", ts", " ts"), "401 PROF001"],
  ["a part without a value", after(", x"), "401 PROF001"],
  ["a value without a name", after(', ="x"'), "401 PROF001"],
  ["an equals sign alone", after(", ="), "401 PROF001"],
  ["two equals signs", swap('ts="', 'ts=="'), "401 PROF001"],
  ["a colon for the equals sign", swap('ts="', 'ts:"'), "401 PROF001"],
  ["a quote that does not close", header((all) => all.slice(0, -1)), "401 PROF001"],
  ["a quote too many", after('"'), "401 PROF001"],
  ["text behind the last quote", after("x"), "401 PROF001"],
  ["a comment", after(" (signed)"), "401 PROF001"],
  ["a backslash before the last quote", header((all) => `${all.slice(0, -1)}\\"`), "401 PROF001"],
  ["a list in brackets for a part", after(', x=["y"]'), "401 PROF001"],
  ["an encoded comma between the parts", swap(", ts", "%2C ts"), "401 PROF001"],
  ["an unknown part twice", after(', x="1", x="2"'), "401 PROF001"],
  ["an unknown part twice in two cases", after(', x="1", X="2"'), "401 PROF001"],
  ["a name with a bracket", after(', did[]="x"'), "401 PROF001"],
  ["a name as RFC 5987 has it", swap("did=", "did*="), "401 PROF001"],
  [
    "a header of 4,097 bytes",
    header((all) => `${all}, x="${"x".repeat(4_091 - all.length)}"`),
    "401 PROF001",
  ],
  [
    "six hundred parts",
    after(Array.from({ length: 600 }, (_, n) => `, a${n}=""`).join("")),
    "401 PROF001",
  ],
  ["a control character", after(', x="\x01"'), "400 PROF006"],
  ["a NUL", after(', x="\0"'), "400 PROF006"],
  ["an escape sequence", after(', x="\x1b[31m"'), "400 PROF006"],
];

const eachPart: Row[] = names.flatMap((name): Row[] => [
  [`no ${name}`, header((all) => withoutPart(all, name)), "401 PROF001"],
  [`${name} empty`, swap(part(name), `${name}=""`), "401 PROF001"],
  [`${name} twice`, header((all) => `${all}, ${part(name).exec(all)?.[0]}`), "401 PROF001"],
  [
    `${name} twice, once in capitals`,
    header((all) => `${all}, ${part(name).exec(all)?.[0].replace(name, name.toUpperCase())}`),
    "401 PROF001",
  ],
  [`${name} twice, once empty`, after(`, ${name}=""`), "401 PROF001"],
  [`${name} without quotes`, header((all) => all.replace(part(name), unquoted)), "401 PROF001"],
  [`${name} in single quotes`, header((all) => all.replace(part(name), single)), "401 PROF001"],
  [`${name} in curly quotes`, header((all) => all.replace(part(name), curly)), "401 PROF001"],
]);

function withoutPart(all: string, name: string): string {
  const [, parts = ""] = all.split("PROF-Signature ");
  const rest = parts.split(", ").filter((one) => !one.startsWith(`${name}=`));
  return `PROF-Signature ${rest.join(", ")}`;
}

function unquoted(text: string): string {
  return text.replaceAll('"', "");
}

function single(text: string): string {
  return text.replaceAll('"', "'");
}

function curly(text: string): string {
  return text.replace('"', utf8("“")).replace('"', utf8("”"));
}

export const headerRows: Row[] = [...taken, ...refused, ...eachPart];
