import { get, type Row, sentTo, titled, to, utf8 } from "../row";

// Protocol 2 and 6: a target that can be read in one way, and the one that was signed.

const other = (change: (target: string) => string) => sentTo((target) => change(target));

const spellings: Row[] = [
  ["the DID in percent-encoding, as it was signed", to("/memories"), "200"],
  ["the DID plain", other((target) => decodeURIComponent(target)), "200"],
  ["percent-encoding in small letters", other((target) => target.replaceAll("%3A", "%3a")), "200"],
  [
    "a letter in percent-encoding",
    other((target) => target.replace("memories", "m%65mories")),
    "200",
  ],
  [
    "all of a segment in percent-encoding",
    other((target) => target.replace("/prof/", "/%70%72%6f%66/")),
    "404",
  ],
  ["a question mark behind", other((target) => `${target}?`), "200"],
  ["ampersands for a query", other((target) => `${target}?&&`), "200"],
];

const elsewhere: Row[] = [
  ["the path in another case", to("/Memories"), "404 PROF003"],
  ["the version in another case", other((target) => target.replace("/v1/", "/V1/")), "404 PROF003"],
  ["another version", other((target) => target.replace("/v1/", "/v2/")), "404 PROF003"],
  ["no version", other((target) => target.replace("/v1/", "/")), "404 PROF003"],
  ["a slash behind", to("/memories/"), "404 PROF003"],
  ["a file name behind", to("/memories.json"), "404 PROF003"],
  ["a parameter of the path", to("/memories;a=b"), "404 PROF003"],
  ["a dot segment with a parameter", to("/..;/memories"), "404 PROF003"],
  ["three dots", to("/.../memories"), "404 PROF003"],
  ["a dot segment encoded twice", to("/%252e%252e/memories"), "404 PROF003"],
  ["a slash encoded twice", to("%252fmemories"), "404 PROF003"],
  ["a slash of full width", to(utf8("/memories").replace("/m", "%EF%BC%8Fm")), "404 PROF003"],
  ["a fraction slash", to("%E2%81%84memories"), "404 PROF003"],
  ["an encoded question mark", to("/memories%3Flimit=1"), "404 PROF003"],
  ["an encoded fragment", to("/memories%23x"), "404 PROF003"],
  ["an encoded space behind", to("/memories%20"), "404 PROF003"],
  ["a zero-width space behind", to("/memories%E2%80%8B"), "404 PROF003"],
  ["the segment __proto__", to("/__proto__"), "404 PROF003"],
  ["a name of every object", get({ target: "/prof/v1/constructor" }), "404 PROF003"],
  ["the root of the protocol", get({ target: "/prof/v1" }), "404 PROF003"],
  ["a page below the protocol", get({ target: "/prof/dashboard" }), "404 PROF003"],
  ["an API below the protocol", get({ target: "/prof/api/health" }), "404 PROF003"],
];

const ambiguous: Row[] = [
  ["a dot segment", other((target) => target.replace("/prof/", "/prof/./")), "400 PROF006"],
  ["two dots", other((target) => target.replace("/prof/v1/", "/prof/x/../v1/")), "400 PROF006"],
  ["two dots in percent-encoding", other((target) => `${target}/%2e%2e/memories`), "400 PROF006"],
  [
    "two dots, one in percent-encoding",
    other((target) => `${target}/.%2E/memories`),
    "400 PROF006",
  ],
  ["a dot behind", other((target) => `${target}/.`), "400 PROF006"],
  ["two slashes", other((target) => target.replace("/memories", "//memories")), "400 PROF006"],
  ["two slashes in front", other((target) => `/${target}`), "400 PROF006"],
  ["two slashes behind", other((target) => `${target}//`), "400 PROF006"],
  ["a host in the path", other((target) => `//evil.example${target}`), "400 PROF006"],
  [
    "an encoded slash",
    other((target) => target.replace("/memories", "%2Fmemories")),
    "400 PROF006",
  ],
  [
    "an encoded slash in small letters",
    other((target) => target.replace("/memories", "%2fmemories")),
    "400 PROF006",
  ],
  ["a backslash", other((target) => target.replace("/memories", "\\memories")), "400 PROF006"],
  [
    "an encoded backslash",
    other((target) => target.replace("/memories", "%5Cmemories")),
    "400 PROF006",
  ],
  ["an encoded NUL", other((target) => `${target}%00`), "400 PROF006"],
  ["an encoded tab", other((target) => `${target}%09`), "400 PROF006"],
  ["an encoded CR LF", other((target) => `${target}%0d%0aX-Injected:%201`), "400 PROF006"],
  ["an encoded DEL", other((target) => `${target}%7F`), "400 PROF006"],
  ["an encoded control character of 8 bits", other((target) => `${target}%C2%85`), "400 PROF006"],
  ["a slash in two bytes too many", other((target) => `${target}%c0%af`), "400 PROF006"],
  ["a surrogate", other((target) => `${target}%ed%a0%80`), "400 PROF006"],
  ["a code point beyond Unicode", other((target) => `${target}%f4%90%80%80`), "400 PROF006"],
  ["a byte that is no UTF-8", other((target) => `${target}%ff`), "400 PROF006"],
  ["a character cut short", other((target) => `${target}%e2%82`), "400 PROF006"],
  ["a percent sign alone", other((target) => `${target}%`), "400 PROF006"],
  ["one digit after the percent sign", other((target) => `${target}%2`), "400 PROF006"],
  ["letters that are no hex", other((target) => `${target}%zz`), "400 PROF006"],
  [
    "percent-encoding as JavaScript once had it",
    other((target) => `${target}%u002f`),
    "400 PROF006",
  ],
  ["a fragment", other((target) => `${target}#x`), "400 PROF006"],
  ["a space", other((target) => target.replace("/memories", "/me mories")), "400 PROF006"],
  ["a tab", other((target) => target.replace("/memories", "/me\tmories")), "400 PROF006"],
  ["bytes above 127", other((target) => `${target}${utf8("é")}`), "400 PROF006"],
  ["a NUL", other((target) => `${target}\0`), "400 PROF006"],
  ["an escape sequence", other((target) => `${target}\x1b[2J`), "400 PROF006"],
  ["no slash in front", other((target) => target.slice(1)), "400 PROF006"],
  ["nothing", other(() => ""), "400 PROF006"],
  ["an asterisk", other(() => "*"), "400 PROF006"],
  ["a host and port", sentTo((_target, { host, port }) => `${host}:${port}`), "400 PROF006"],
  [
    "an address of ours",
    sentTo((target, { host, port }) => `http://${host}:${port}${target}`),
    "400 PROF006",
  ],
  ["an address of others", other((target) => `http://evil.example${target}`), "400 PROF006"],
  [
    "an address with a user",
    other((target) => `http://alice@evil.example${target}`),
    "400 PROF006",
  ],
  ["the address of a file", other(() => "file:///etc/passwd"), "400 PROF006"],
  ["12,000 bytes", other((target) => `${target}/${"a".repeat(12_000)}`), "404 PROF003"],
  ["17,000 bytes", other((target) => `${target}/${"a".repeat(17_000)}`), "431 PROF006"],
];

const dids: Row[] = [
  ["of a profile that nobody opened to the agent", profile(":bob"), "200"],
  ["of nobody", profile(":nobody"), "404 PROF003"],
  ["in another case", profile(":Alice"), "404 PROF003"],
  ["of an agent", profile(":alice", ":user:", ":agent:"), "404 PROF003"],
  ["of another namespace", profile(":alice", ":local:", ":global:"), "404 PROF003"],
  ["cut short", profile(""), "404 PROF003"],
  ["with a dot behind", profile(":alice."), "404 PROF003"],
  ["with a space behind", profile(":alice%20"), "404 PROF003"],
  ["with a Cyrillic letter", profile(":%D0%B0lice"), "404 PROF003"],
  ["with an accent that combines", profile(":alice%CC%81"), "404 PROF003"],
  ["with a wildcard of SQL", profile(":alic_"), "404 PROF003"],
  ["with a quote of SQL", profile(":alice'--"), "404 PROF003"],
  ["of two", profile(":alice,did:prof:user:local:bob"), "404 PROF003"],
  ["in capitals", profile(":alice", "did:prof", "DID:PROF"), "400 PROF006"],
  ["of another method", profile(":alice", "did:prof", "did:web"), "400 PROF006"],
  ["with a space in front", profile(":alice", "did:prof", "%20did:prof"), "400 PROF006"],
  ["encoded twice", profile(":alice", "did:prof", "did%253Aprof"), "400 PROF006"],
  ["of full width", profile(":alice", "did:", "did%EF%BC%9A"), "400 PROF006"],
];

function profile(name: string, from = "", by = "") {
  const did = `did:prof:user:local${name}`.replace(from, by);
  return get({ target: `/prof/v1/profile/${did}/memories` });
}

const resent: Row[] = [
  ["of another profile", other((target) => target.replace("alice", "bob")), "401 PROF001"],
  ["of the profile, for its memories", sentTo((target) => `${target}/memories`, ""), "401 PROF001"],
  [
    "of the memories, for the profile",
    other((target) => target.replace("/memories", "")),
    "401 PROF001",
  ],
  [
    "of the proposals, for the memories",
    sentTo((target) => target.replace("/proposals", "/memories"), "/proposals"),
    "401 PROF001",
  ],
  ["without the query that it goes with", other((target) => `${target}?limit=200`), "401 PROF001"],
];

export const targetRows: Row[] = [
  ...titled("a target with", spellings),
  ...titled("a target elsewhere:", elsewhere),
  ...titled("a target with", ambiguous),
  ...titled("the DID in the path:", dids),
  ...titled("the signature", resent),
];
