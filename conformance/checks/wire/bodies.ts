import type { Check } from "../../check";
import { faulted, refused, understood } from "../../expect";
import type { Outgoing } from "../../kit";
import { reviewPath } from "../../state";

// On POST /review of a proposal that is not there: what is understood ends at 403 or 404, and changes nothing.

const strict = "Protocol 8, Bodies";
const bytesMax = 64 * 1024;

type Row = [id: string, what: string, more: Partial<Outgoing>];

const valid = '{"action":"approve"}';

const refusedBodies: Row[] = [
  ["text", "of media type text/plain", typed("text/plain")],
  [
    "form",
    "of media type application/x-www-form-urlencoded",
    typed("application/x-www-form-urlencoded"),
  ],
  ["no-type", "without Content-Type", { body: valid, headers: { "Content-Type": null } }],
  ["type-prefix", "of media type application/jsonp", typed("application/jsonp")],
  ["none", "that is empty", { body: "" }],
  ["malformed", "cut off in the middle", { body: '{"action":"app' }],
  ["trailing", "with something after the JSON value", { body: `${valid} x` }],
  ["trailing-comma", "with a comma too many", { body: '{"action":"approve",}' }],
  ["comment", "with a comment in it", { body: `/* */${valid}` }],
  ["single-quotes", "in single quotes", { body: "{'action':'approve'}" }],
  ["nan", "with NaN in it", { body: '{"action":"approve","x":NaN}' }],
  ["array", "that is an array", { body: `[${valid}]` }],
  ["string", "that is a string", { body: '"approve"' }],
  ["null", "that is null", { body: "null" }],
  ["two-keys", "with a member twice", { body: '{"action":"approve","action":"reject"}' }],
  [
    "two-keys-escaped",
    "with a member twice, once escaped",
    { body: '{"action":"approve","\\u0061ction":"reject"}' },
  ],
  ["two-keys-within", "with a member twice further down", { body: extra('{"a":1,"a":2}') }],
  ["proto", "with a member __proto__", { body: extra('{"__proto__":{}}') }],
  ["constructor", "with a member constructor", { body: extra('{"constructor":{}}') }],
  ["prototype", "with a member prototype", { body: extra('{"prototype":{}}') }],
  ["nul", "with U+0000 in a text", { body: extra('"a\\u0000b"') }],
  ["surrogate", "with half a surrogate pair", { body: extra('"\\ud83e"') }],
  ["surrogate-key", "with half a surrogate pair in a name", { body: extra('{"\\udd89":1}') }],
  [
    "utf-8",
    "that is not UTF-8",
    {
      body: Buffer.concat([Buffer.from(valid.slice(0, -2)), Buffer.from([0xc3, 0x28, 0x22, 0x7d])]),
    },
  ],
  ["deep", "33 levels deep", { body: extra(nested(32)) }],
  ["large", "one byte larger than 64 KiB", { body: padded(bytesMax + 1) }],
  [
    "large-chunked",
    "larger than 64 KiB in chunks",
    { body: padded(bytesMax + 10_000), chunked: true },
  ],
];

const understoodBodies: Row[] = [
  [
    "charset",
    "of media type application/json; charset=utf-8",
    typed("application/json; charset=utf-8"),
  ],
  ["plus-json", "of a media type that ends in +json", typed("application/vnd.example+json")],
  ["type-case", "of media type Application/JSON", typed("Application/JSON")],
  ["unknown-member", "with a member that nobody knows", { body: extra('{"a":[1,2,{"b":null}]}') }],
  ["white-space", "with white space around it", { body: ` \r\n\t${valid}\n` }],
  ["chunked", "sent in chunks", { body: valid, chunked: true }],
  ["depth", "32 levels deep", { body: extra(nested(31)) }],
  ["size", "of exactly 64 KiB", { body: padded(bytesMax) }],
];

export const bodies: Check[] = [
  ...refusedBodies.map(
    ([id, what, more], index): Check => ({
      id: `bodies.refuses.${id}`,
      sentence: `A body ${what} is 400 PROF006 with a list of issues.`,
      cites: strict,
      run: async (kit) => {
        // Shared out, so that nobody's hour is used up.
        const as = index % 4 === 3 && kit.options.userKey !== null ? "user" : "agent";
        faulted(await kit.call({ as, method: "POST", target: reviewPath(kit), ...more }));
      },
    }),
  ),
  ...understoodBodies.map(
    ([id, what, more]): Check => ({
      id: `bodies.understands.${id}`,
      sentence: `A body ${what} is understood.`,
      cites: strict,
      run: async (kit) => {
        understood(await kit.call({ method: "POST", target: reviewPath(kit), ...more }));
      },
    }),
  ),
  {
    id: "bodies.size-first",
    sentence: "A body that is too large is refused before anybody looks who sent it.",
    cites: "Protocol 2, Order: framing and size first",
    run: async (kit) => {
      const body = padded(bytesMax + 1);
      const outgoing = { as: "nobody", method: "POST", target: reviewPath(kit), body } as const;
      refused(await kit.call(outgoing), "PROF006");
    },
  },
];

function typed(type: string): Partial<Outgoing> {
  return { body: valid, headers: { "Content-Type": type } };
}

function extra(json: string): string {
  return `{"action":"approve","extra":${json}}`;
}

function nested(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

function padded(bytes: number): string {
  const empty = extra('""').length;
  return extra(`"${"x".repeat(bytes - empty)}"`);
}
