import { beforeAll, describe, expect, test } from "vitest";
import { signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { mintAdmin, mintOwner } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { adminsForms, type Fields, filledIn, ownersForms } from "./cases/forms";
import { type Action, builtActions, callAction, type Field, formSent } from "./testing/actions";
import { digest } from "./testing/digest";

// What a form of ours, or a script of its page, is made to send: files in the place of texts, names that come
// twice or act elsewhere, and arguments that no page of ours has. From those who may: the owner and an admin.

const engine = await testEngine();
const gateway = await addressOf(
  startGateway({
    DATABASE_URL: engine.env.DATABASE_URL ?? "",
    LOG_LEVEL: "warn",
    PEER_LIMIT: "1000000",
    LIMIT_SESSION: "1000000",
  }),
);
engine.setNow(new Date());
const owner = await mintOwner(engine);
const cookie = await signedInCookie(engine, owner);
// One browser is left, so that a form that ends the other sessions ends none.
await engine.db.session.delete({ where: { id: owner.sessionId } });
const admins = await signedInCookie(engine, await mintAdmin(engine));

// Of the right shape and nobody's: what a form would do if it were taken as it stands, it does to nothing.
const ids: Fields = {
  ...{ did: "did:prof:user:local:x", agentDid: "did:prof:agent:local:x", userId: "usr_1" },
  ...{
    proposalId: "prop_1",
    decidedId: "prop_2",
    rejectionId: "rej_1",
    batchId: "imp_1",
    ruleId: "rule_1",
    ...{ reviewerId: "rvw_1", invitedId: "rvw_2", reviewingId: "rvw_3", forOwnerId: "prop_3" },
    shutOutDid: "did:prof:agent:local:x",
    unusedId: "pol_1",
    tokenId: "tok_1",
    requestId: "creq_1",
  },
  ...{ receiptId: "rcpt_1", memoryId: "mem_1", policyId: "pol_1", revisionId: "rev_1" },
  ...{ runDid: "did:prof:agent:local:x", messageId: "msg_1" },
  ...{ keyId: "key_1", sessionId: "ses_1", eventId: "evt_1", changeId: "req_1" },
  ...{ seen: "2026-01-01T00:00:00.000Z", shownAs: "2026-01-01T00:00:00.000Z" },
};

const built = await builtActions();
const forms = [...ownersForms, ...adminsForms];
// It takes nothing, and does what it says whatever else is sent.
const everyAction = built.filter(({ name }) => !name.startsWith("signOutAction"));

let before = "";
beforeAll(async () => {
  before = await digest(engine.pool);
});

// Of one account, more at once are refused as too busy.
const atOnce = 40;

async function expectNoFailure(action: Action, bodies: (FormData | string)[]): Promise<void> {
  const as = action.name.includes(" of app/admin/") ? admins : cookie;
  const faults: string[] = [];
  const sendOne = async (body: FormData | string, nth: number) => {
    const { status, text } = await callAction(action, { gateway, cookie: as, body });
    // By which a form tells of a failure of ours.
    const isFailure = status >= 500 || text.includes("Request id: ");
    if (isFailure) faults.push(`${typeof body === "string" ? body : nth}: ${status}`);
  };
  for (let from = 0; from < bodies.length; from += atOnce) {
    const some = bodies.slice(from, from + atOnce);
    await Promise.all(some.map((body, nth) => sendOne(body, from + nth)));
  }
  expect(faults).toEqual([]);
}

const file = (name: string) => new File(['{"$ne":null}'], `${name}.txt`);
const strange: Field[] = [
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", ""],
  ...["__proto__[role]", "constructor[prototype][role]", "a[b]", "a[]", "a.b", "profile[$ne]"],
].map((name) => [name, "admin"]);

const isId = /^(did:|[a-z]+_\d)/;
const noIds = ["' OR '1'='1", '{"$ne":null}'];

/** Each with something wrong that keeps it from being taken. */
function spoilt(fields: [name: string, value: string][]): Field[][] {
  const files = fields.map(([name]): Field => [name, file(name)]);
  const oneFile = fields.map(([name]): Field[] => [
    ...fields.filter(([other]) => other !== name),
    [name, file(name)],
  ]);
  const oneText = fields.flatMap(([name, value]) =>
    [`${value}\0`, ...(isId.test(value) ? noIds : [])].map((text): Field[] => [
      ...fields.filter(([other]) => other !== name),
      [name, text],
    ]),
  );
  const renamed = fields.flatMap(([name, value]): Field[] => [
    [`${name}[$ne]`, value],
    [`${name}[]`, value],
  ]);
  // A form of more than 256 kB is not read.
  const doubled = fields.slice(0, 2).map(([name]): Field => [name, "x".repeat(100_000)]);
  return [
    ...oneFile,
    ...oneText,
    [],
    renamed,
    [...files, ...strange, ["profile", file("profile")]],
    [...fields, ...files, ...doubled],
  ];
}

// As React writes them: $undefined, $D a time, $n a large number, $Infinity, $T what only the page knows.
const strangeArguments = [
  "[]",
  '["x",0,true,"$Infinity"]',
  "[[],[[[]]],[]]",
  '[{"$ne":null},{"$ne":null}]',
  '[{"__proto__":{"role":"admin"}},{"get":1,"entries":[]}]',
  '["$undefined","$D2026-01-01T00:00:00.000Z","$n99999999999999999999"]',
  '["$T",{"agentDid":"$T","requestId":{"$ne":null},"scopes":{},"permissions":[[]]}]',
  `[${JSON.stringify(owner.did)},{"requestId":"creq_1","scopes":["prof:health"]}]`,
];

test("each action that was built has a form here, and each form its action", () => {
  const names = (of: readonly string[]) => [...new Set(of)].sort();
  expect(names(built.map(({ name }) => name))).toEqual(names(forms.map(([action]) => action)));
});

describe("sent to an action by a script", () => {
  test.each(everyAction)("$name: no argument makes it fail", async (action) => {
    await expectNoFailure(action, strangeArguments);
  });

  test.each(everyAction)("$name: no field makes it fail", async (action) => {
    const own = forms.filter(([name]) => name === action.name);
    const sent = own.flatMap(([, fields]) => spoilt(filledIn(fields, ids)));
    await expectNoFailure(
      action,
      sent.map((fields) => formSent(action, fields)),
    );
  });
});

describe("sent to an action by a form without scripts", () => {
  test.each(everyAction)("$name: nothing in it makes it fail", async ({ id, name, page }) => {
    const [, fields = {}] = forms.find(([action]) => action === name) ?? [];
    const body = new FormData();
    body.set(`$ACTION_ID_${id}`, "");
    for (const [field] of filledIn(fields, ids)) body.append(field, file(field));
    for (const [field, value] of strange) body.append(field, value);
    const headers = { Origin: gateway, Cookie: name.includes(" of app/admin/") ? admins : cookie };
    const to = { method: "POST", redirect: "manual", headers, body } as const;
    const response = await fetch(gateway + page, to);
    await response.body?.cancel();
    expect(response.status).toBeLessThan(500);
  });
});

// Last: of all that was sent above.
test("nothing of it has changed anything", async () => {
  expect(await digest(engine.pool)).toBe(before);
});
