import { by, header, type Row, titled, token, utf8 } from "../row";

// Who it claims to be, under which nonce, or with which token. Protocol 1, 2 and 3.

const did = (change: (did: string) => string) =>
  header((all, parts) => all.replace(parts.did, () => change(parts.did)));

let lastNonce = 0;
function fresh(length: number): string {
  lastNonce += 1;
  return `n${lastNonce}`.padEnd(length, "0").slice(0, length);
}

const dids: Row[] = [
  ["of nobody", did(() => "did:prof:agent:local:nobody"), "401 PROF001"],
  ["of another agent", did(() => "did:prof:agent:local:rival"), "401 PROF001"],
  ["of the profile's owner", did(() => "did:prof:user:local:alice"), "401 PROF001"],
  ["in capitals", did((text) => text.toUpperCase()), "401 PROF001"],
  ["with a name in capitals", did((text) => text.replace("iris", "IRIS")), "401 PROF001"],
  ["with a kind in capitals", did((text) => text.replace("agent", "Agent")), "401 PROF001"],
  ["of a kind there is not", did((text) => text.replace("agent", "admin")), "401 PROF001"],
  ["of another namespace", did((text) => text.replace("local", "global")), "401 PROF001"],
  ["of another method", did((text) => text.replace("prof", "web")), "401 PROF001"],
  [
    "as did:key",
    did(() => "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"),
    "401 PROF001",
  ],
  ["of four parts", did(() => "did:prof:agent:iris"), "401 PROF001"],
  ["of six parts", did((text) => `${text}:x`), "401 PROF001"],
  ["with an empty name", did((text) => text.replace("iris", "")), "401 PROF001"],
  ["with a name of 65 letters", did((text) => text.replace("iris", "i".repeat(65))), "401 PROF001"],
  ["with the key behind it", did((text) => `${text}#key-1`), "401 PROF001"],
  ["with a query", did((text) => `${text}?versionId=1`), "401 PROF001"],
  ["with a path", did((text) => `${text}/memories`), "401 PROF001"],
  ["with a dot behind", did((text) => `${text}.`), "401 PROF001"],
  ["with a space behind", did((text) => `${text} `), "401 PROF001"],
  ["with a space in front", did((text) => ` ${text}`), "401 PROF001"],
  ["with a tab behind", did((text) => `${text}\t`), "401 PROF001"],
  ["in percent-encoding", did((text) => text.replaceAll(":", "%3A")), "401 PROF001"],
  ["with a wildcard", did((text) => text.replace("iris", "*")), "401 PROF001"],
  ["with a wildcard of SQL", did((text) => text.replace("iris", "%")), "401 PROF001"],
  ["with a quote of SQL", did((text) => `${text}' OR '1'='1`), "401 PROF001"],
  ["of two", did((text) => `${text},did:prof:agent:local:rival`), "401 PROF001"],
  ["with a Cyrillic letter", did((text) => text.replace("iris", utf8("іris"))), "401 PROF001"],
  ["with a dotless i", did((text) => text.replace("iris", utf8("ırıs"))), "401 PROF001"],
  [
    "with letters of full width",
    did((text) => text.replace("iris", utf8("ｉｒｉｓ"))),
    "401 PROF001",
  ],
  [
    "with a colon of full width",
    did((text) => text.replace(":iris", utf8("：iris"))),
    "401 PROF001",
  ],
  [
    "with a zero-width space",
    did((text) => text.replace("iris", utf8("ir\u200bis"))),
    "401 PROF001",
  ],
  [
    "with an accent that combines",
    did((text) => text.replace("iris", utf8("iris\u0301"))),
    "401 PROF001",
  ],
  ["with a text that runs backwards", did((text) => utf8(`\u202e${text}`)), "401 PROF001"],
  ["named __proto__", did(() => "__proto__"), "401 PROF001"],
];

const nonces: Row[] = [
  ["of 8 characters", by({ nonce: fresh(8) }), "200"],
  ["of 128 characters", by({ nonce: fresh(128) }), "200"],
  ["of all its punctuation", by({ nonce: `-._~${fresh(8)}` }), "200"],
  ["that begins like a path", by({ nonce: `..${fresh(8)}` }), "200"],
  ["of 7 characters", by({ nonce: fresh(7) }), "401 PROF001"],
  ["of 129 characters", by({ nonce: fresh(129) }), "401 PROF001"],
  ["of 3,000 characters", by({ nonce: fresh(3_000) }), "401 PROF001"],
  ["with a space", by({ nonce: `${fresh(8)} x` }), "401 PROF001"],
  ["with a space in front", by({ nonce: ` ${fresh(8)}` }), "401 PROF001"],
  ["with a plus sign", by({ nonce: `${fresh(8)}+` }), "401 PROF001"],
  ["with a slash", by({ nonce: `${fresh(8)}/` }), "401 PROF001"],
  ["with padding", by({ nonce: `${fresh(8)}==` }), "401 PROF001"],
  ["with a colon", by({ nonce: `${fresh(8)}:1` }), "401 PROF001"],
  ["with a quote of SQL", by({ nonce: `${fresh(8)}';--` }), "401 PROF001"],
  ["with an encoded line break", by({ nonce: `${fresh(8)}%0d%0aX: 1` }), "401 PROF001"],
  ["in braces", by({ nonce: `{${fresh(8)}}` }), "401 PROF001"],
  ["with an accent", by({ nonce: utf8(`${fresh(8)}é`) }), "401 PROF001"],
  ["with digits of full width", by({ nonce: utf8(`１２３４５６７８`) }), "401 PROF001"],
];

const tokens: Row[] = [
  ["the scheme in lower case", token((all) => all.replace("Bearer", "bearer")), "200"],
  ["two spaces after the scheme", token((all) => all.replace(" ", "  ")), "200"],
  ["no space after the scheme", token((all) => all.replace(" ", "")), "401 PROF001"],
  ["a tab after the scheme", token((all) => all.replace(" ", "\t")), "401 PROF001"],
  ["another scheme", token((all) => all.replace("Bearer", "Token")), "401 PROF001"],
  [
    "Basic for the scheme",
    token((all) => `Basic ${Buffer.from(all).toString("base64")}`),
    "401 PROF001",
  ],
  [
    "the scheme of signatures",
    token((all) => all.replace("Bearer", "PROF-Signature")),
    "401 PROF001",
  ],
  ["no scheme", token((all) => all.replace("Bearer ", "")), "401 PROF001"],
  ["quotes around it", token((all) => all.replace(/profct_\w+/, '"$&"')), "401 PROF001"],
  ["a name before it", token((all) => all.replace("profct_", "token=profct_")), "401 PROF001"],
  ["its prefix in capitals", token((all) => all.replace("profct_", "PROFCT_")), "401 PROF001"],
  ["no prefix", token((all) => all.replace("profct_", "")), "401 PROF001"],
  ["its prefix alone", token(() => "Bearer profct_"), "401 PROF001"],
  ["one character less", token((all) => all.slice(0, -1)), "401 PROF001"],
  ["one character more", token((all) => `${all}0`), "401 PROF001"],
  [
    "two characters exchanged",
    token((all) => all.replace(/(.)(.)$/, otherWayRound)),
    "401 PROF001",
  ],
  ["the underscore encoded", token((all) => all.replace("_", "%5F")), "401 PROF001"],
  ["two of them", token((all) => `${all}, ${all}`), "401 PROF001"],
  ["another one behind", token((all) => `${all} ${all}`), "401 PROF001"],
  ["a value as sessions have it", token(() => `Bearer ${"Aa0_".repeat(11)}`), "401 PROF001"],
  ["a DID in its place", token(() => "Bearer did:prof:agent:local:iris"), "401 PROF001"],
  ["49 zeros", token(() => `Bearer profct_${"0".repeat(49)}`), "401 PROF001"],
];

// Two that are equal stay a token; then the last one is another.
function otherWayRound(_all: string, one: string, other: string): string {
  return one === other ? `${one}${one === "0" ? "1" : "0"}` : `${other}${one}`;
}

export const nameRows: Row[] = [
  ...titled("a DID", dids),
  ...titled("a nonce", nonces),
  ...titled("a token with", tokens),
];
