import { type Row, sentTo, titled, to } from "../row";

// Protocol 2: the query is signed decoded and sorted. Each parameter comes once, and means one thing.

const input = (query: string) => to(`/memories?${query}`);
const signedAs = (signed: string, sent: string) =>
  sentTo((target) => target.replace(signed, () => sent), `/memories?${signed}`);

const signed: Row[] = [
  ["the order of its parameters", signedAs("limit=1&offset=2", "offset=2&limit=1"), "200"],
  ["the encoding of a letter", signedAs("limit=1", "%6cimit=%31"), "200"],
  [
    "small letters in percent-encoding",
    signedAs("category=prof%3Ainterests", "category=prof%3ainterests"),
    "200",
  ],
  [
    "a colon that is not encoded",
    signedAs("category=prof%3Ainterests", "category=prof:interests"),
    "200",
  ],
  ["an ampersand too many", signedAs("limit=1&offset=2", "&limit=1&&offset=2&"), "200"],
  ["an unknown parameter without a value", signedAs("limit=1&x=", "limit=1&x"), "200"],
  ["a plus sign for an encoded space", signedAs("limit=1&x=a%20b", "limit=1&x=a+b"), "200"],
  ["a value", signedAs("limit=1", "limit=2"), "401 PROF001"],
  ["a leading zero", signedAs("limit=1", "limit=01"), "401 PROF001"],
  ["the case of a name", signedAs("limit=1", "Limit=1"), "401 PROF001"],
  ["one parameter more", signedAs("limit=1", "limit=1&offset=1"), "401 PROF001"],
  ["one parameter less", signedAs("limit=1&offset=1", "limit=1"), "401 PROF001"],
  ["a parameter a second time", signedAs("limit=1", "limit=1&limit=1"), "401 PROF001"],
  ["names and values exchanged", signedAs("limit=1&offset=2", "limit=2&offset=1"), "401 PROF001"],
  [
    "a semicolon for the ampersand",
    signedAs("limit=1&offset=2", "limit=1;offset=2"),
    "401 PROF001",
  ],
  ["an encoded ampersand", signedAs("limit=1&offset=2", "limit=1%26offset=2"), "401 PROF001"],
  ["an encoded equals sign", signedAs("limit=1", "limit%3D1"), "401 PROF001"],
  ["all of it", signedAs("limit=1", ""), "401 PROF001"],
];

const read: Row[] = [
  ["limit=200", input("limit=200"), "200"],
  ["limit=99999999999999999999", input("limit=99999999999999999999"), "200"],
  ["an unknown parameter", input("profileId=1"), "200"],
  ["an unknown parameter twice", input("x=1&x=2"), "200"],
  ["__proto__=1", input("__proto__=1"), "200"],
  ["constructor[prototype]=1", input("constructor[prototype]=1"), "200"],
  ["limit[$gt]=0, which is another name", input("limit[$gt]=0"), "200"],
  ["limit twice", input("limit=1&limit=1"), "400 PROF006"],
  ["limit twice, once encoded", input("limit=1&%6cimit=2"), "400 PROF006"],
  ["limit=", input("limit="), "400 PROF006"],
  ["limit without an equals sign", input("limit"), "400 PROF006"],
  ["limit=0", input("limit=0"), "400 PROF006"],
  ["limit=-1", input("limit=-1"), "400 PROF006"],
  ["limit=+1, which is a space", input("limit=+1"), "400 PROF006"],
  ["limit=1.0", input("limit=1.0"), "400 PROF006"],
  ["limit=1e1", input("limit=1e1"), "400 PROF006"],
  ["limit=0x1", input("limit=0x1"), "400 PROF006"],
  ["limit=1;DROP TABLE", input("limit=1;DROP%20TABLE"), "400 PROF006"],
  ["limit=Infinity", input("limit=Infinity"), "400 PROF006"],
  ["limit=NaN", input("limit=NaN"), "400 PROF006"],
  ["limit in Arabic digits", input("limit=%D9%A1"), "400 PROF006"],
  ["limit in digits of full width", input("limit=%EF%BC%91"), "400 PROF006"],
  ["limit with a line break", input("limit=1%0A"), "400 PROF006"],
  ["offset=-0", input("offset=-0"), "400 PROF006"],
  ["category=", input("category="), "400 PROF006"],
  ["category with a wildcard", input("category=prof:*"), "400 PROF006"],
  ["category with a NUL", input("category=prof:a%00"), "400 PROF006"],
  ["category with a quote of SQL", input("category=prof:a'--"), "400 PROF006"],
  ["category in capitals", input("category=PROF:interests"), "400 PROF006"],
  ["category with two dots in a row", input("category=prof:a..b"), "400 PROF006"],
  ["category of 129 characters", input(`category=prof:${"a.".repeat(62)}`), "400 PROF006"],
  ["a byte that is no UTF-8", sentTo((target) => `${target}?category=%ff`), "400 PROF006"],
  ["a percent sign alone", sentTo((target) => `${target}?category=%`), "400 PROF006"],
  ["a backslash", sentTo((target) => `${target}?x=\\`), "400 PROF006"],
  ["100 parameters", input(Array.from({ length: 100 }, (_, n) => `a${n}=`).join("&")), "200"],
  [
    "101 parameters",
    input(Array.from({ length: 101 }, (_, n) => `a${n}=`).join("&")),
    "400 PROF006",
  ],
  ["100 ampersands before a parameter", input(`${"&".repeat(100)}limit=1`), "400 PROF006"],
];

const scopes: Row[] = [
  [
    "of 51",
    to(`?scopes=${Array.from({ length: 51 }, (_, n) => `prof:a${n}`).join()}`),
    "400 PROF006",
  ],
  ["of none", to("?scopes="), "400 PROF006"],
  ["with a comma behind", to("?scopes=prof:interests,"), "400 PROF006"],
  ["with a space", to("?scopes=prof:interests,%20prof:health"), "400 PROF006"],
  ["with a wildcard in the middle", to("?scopes=prof:*.secret"), "400 PROF006"],
  ["with two wildcards", to("?scopes=prof:**"), "400 PROF006"],
  ["without their prefix", to("?scopes=*"), "400 PROF006"],
  ["given twice", to("?scopes=prof:interests&scopes=prof:health"), "400 PROF006"],
  ["as a list in brackets", to('?scopes=["prof:interests"]'), "400 PROF006"],
  ["that are denied", to("?scopes=prof:health"), "403 PROF004"],
  ["that hide in one that is granted", to("?scopes=prof:interests.secret"), "403 PROF004"],
];

export const queryRows: Row[] = [
  ...titled("changed in the query after signing:", signed),
  ...titled("a query with", read),
  ...titled("scopes", scopes),
];
