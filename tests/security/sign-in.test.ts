import { beforeAll, describe, expect, test } from "vitest";
import { hashPassword } from "@/lib/auth/password";
import { newId } from "@/lib/engine/random";
import { testEngine } from "@/tests/support/harness";
import { addressOf, startGateway } from "@/tests/support/processes";
import { actionNamed, formSent } from "./testing/actions";

// Hundreds of passwords at once against a running gateway (docs/decisions/0020). In a quarter of an hour a
// network has 60 attempts at any accounts, and an account 20 from one network and 100 from all of them. Two
// passwords are hashed at a time, and 60 of a network wait.
const engine = await testEngine();
const gateway = await addressOf(
  startGateway({
    DATABASE_URL: engine.env.DATABASE_URL ?? "",
    LOG_LEVEL: "error",
    TRUST_PROXY_HOPS: "1",
  }),
);
const common = "a common lamp over the harbour";
const own = "a quiet boat under the bridge";
const [commonHash, ownHash] = await Promise.all([hashPassword(common), hashPassword(own)]);
const action = await actionNamed("signInAction of app/(auth)/actions.ts");

async function mintAccounts(count: number, passwordHash: string): Promise<string[]> {
  const data = Array.from({ length: count }, () => {
    const id = newId("usr");
    return { id, email: `${id}@alice.test`.toLowerCase(), passwordHash, createdAt: engine.now() };
  });
  await engine.db.user.createMany({ data });
  return data.map(({ email }) => email);
}

let networks = 0;
/** Of a network that nobody has come from. */
function freshAddress(): string {
  networks += 1;
  return `2001:db8:${networks.toString(16)}::1`;
}

interface Try {
  email: string;
  password: string;
  from: string;
}

type Answer = "in" | "wrong" | "not tried" | "busy" | "unknown";

const wrong = /The e-mail address or the password is wrong\./;
const words: [text: RegExp, answer: Answer][] = [
  [wrong, "wrong"],
  [/Too many attempts. Nothing was checked; try again in (a minute|\d+ minutes)\./, "not tried"],
  [/The gateway cannot answer right now/, "busy"],
];

function postForm({ email, password, from }: Try): Promise<Response> {
  return fetch(`${gateway}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { "Next-Action": action.id, Origin: gateway, "X-Forwarded-For": from },
    body: formSent(action, Object.entries({ email, password })),
  });
}

/** By the form of the page. */
async function signIn(one: Try): Promise<Answer> {
  const response = await postForm(one);
  const text = await response.text();
  if (hasSession(response)) return "in";
  return words.find(([pattern]) => pattern.test(text))?.[1] ?? "unknown";
}

/** To what next-auth has for scripts. */
async function postByScript({ email, password, from }: Try): Promise<Response> {
  const headers = { Origin: gateway, "X-Forwarded-For": from };
  const csrf = await fetch(`${gateway}/api/auth/csrf`, { headers });
  const { csrfToken } = await csrf.json();
  const Cookie = csrf.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return fetch(`${gateway}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { ...headers, Cookie },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
}

/** Whether it lets them in. */
async function signInByScript(one: Try): Promise<boolean> {
  const response = await postByScript(one);
  await response.text();
  return hasSession(response);
}

function hasSession({ headers }: Response): boolean {
  return headers.getSetCookie().some((line) => /^gateway-session=\w/.test(line));
}

// The front door lets 64 requests of a peer wait.
const atOnce = 60;

async function allAtOnce(tries: Try[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < tries.length; at += atOnce) {
    answers.push(...(await Promise.all(tries.slice(at, at + atOnce).map(signIn))));
  }
  expect(answers).not.toContain("unknown");
  expect(answers).not.toContain("in");
  return answers;
}

function count(answers: Answer[], ...of: Answer[]): number {
  return answers.filter((answer) => of.includes(answer)).length;
}

const windowMs = 15 * 60_000;

/** Once more where a quarter of an hour ended, as counting began again. */
async function inOneWindow<T>(work: () => Promise<T>): Promise<T> {
  const window = () => Math.floor(Date.now() / windowMs);
  for (;;) {
    const began = window();
    const result = await work();
    if (window() === began) return result;
  }
}

/** All of it at once, then what its owners do, and then some more from everywhere. */
async function storm() {
  await engine.db.session.deleteMany();
  const [found = ""] = await mintAccounts(1, commonHash);
  const [target = "", ...others] = await mintAccounts(261, ownHash);
  const [one, home, ...four] = Array.from({ length: 6 }, freshAddress) as [string, string];
  const sprayed = others.slice(0, 200).map((email) => ({ email, password: common, from: one }));
  const guesses = Array.from({ length: 100 }, (_, nth) => ({
    ...{ email: target, password: `${common} ${nth}`, from: four[nth % 4] ?? "" },
  }));
  const crowd = others.slice(200).map((email) => ({
    ...{ email, password: common, from: freshAddress() },
  }));
  const [bySpray, byGuess, byCrowd] = await Promise.all([
    allAtOnce(sprayed),
    allAtOnce(guesses),
    allAtOnce(crowd),
  ]);
  const sessions = await engine.db.session.count();
  const theirs = { email: found, password: common };
  const owners = { email: target, password: own };
  const [guesser = ""] = four;
  return {
    ...{ bySpray, byGuess, byCrowd, sessions },
    fromTheirs: [
      await signIn({ ...theirs, from: one }),
      await signInByScript({ ...theirs, from: one }),
      await signIn({ ...owners, from: guesser }),
      await signInByScript({ ...owners, from: guesser }),
    ],
    fromHome: [
      await signIn({ ...theirs, from: home }),
      await signInByScript({ ...theirs, from: home }),
      await signIn({ ...owners, from: home }),
      await signInByScript({ ...owners, from: home }),
    ],
    fromEverywhere: await allAtOnce(
      Array.from({ length: 30 }, () => ({
        ...{ email: target, password: common, from: freshAddress() },
      })),
    ),
    afterwards: await signIn({ ...owners, from: home }),
  };
}

let seen: Awaited<ReturnType<typeof storm>>;
beforeAll(async () => {
  seen = await inOneWindow(storm);
}, 240_000);

test("One password at two hundred accounts from one network: sixty are tried at most", () => {
  expect(count(seen.bySpray, "wrong", "busy")).toBeLessThanOrEqual(60);
  expect(count(seen.bySpray, "not tried")).toBeGreaterThanOrEqual(140);
});

test("A hundred guesses at one account from four networks: twenty from each are tried at most", () => {
  expect(count(seen.byGuess, "wrong", "busy")).toBeLessThanOrEqual(80);
  expect(count(seen.byGuess, "not tried")).toBeGreaterThanOrEqual(20);
});

test("A person from elsewhere is not refused for them, but may have to try again", () => {
  // Counts share cells: a few may meet one that somebody else has filled.
  expect(count(seen.byCrowd, "wrong", "busy")).toBeGreaterThanOrEqual(57);
});

describe("Whether an address has an account", () => {
  test.each([
    ["the form", postForm, wrong],
    ["next-auth", postByScript, /"url":"[^"]*\berror=CredentialsSignin/],
  ] as const)("is not in the words of a refusal by %s", async (_door, post, words) => {
    const [known = ""] = await mintAccounts(1, ownHash);
    const unknown = known.replace("@alice.test", "@bob.test");
    const refusals: { status: number; text: string }[] = [];
    for (const email of [known, unknown]) {
      const answer = await post({ email, password: common, from: freshAddress() });
      const text = (await answer.text()).replaceAll(email, "");
      const changing = /"timestamp":"[^"]*"|req_\w+/g;
      refusals.push({ status: answer.status, text: text.replaceAll(changing, "") });
    }
    expect(refusals[0]?.text).toMatch(words);
    expect(refusals[1]).toEqual(refusals[0]);
  });
});

test("No guess was given a session, and some were looked at", () => {
  expect(seen.sessions).toBe(0);
  expect(count([...seen.bySpray, ...seen.byGuess, ...seen.byCrowd], "wrong")).toBeGreaterThan(0);
});

test("The right password is not found from where too many were tried, by the form or by next-auth", () => {
  expect(seen.fromTheirs).toEqual(["not tried", false, "not tried", false]);
});

test("The right password from its owner's own network works by both", () => {
  expect(seen.fromHome).toEqual(["in", true, "in", true]);
});

test("After a hundred tries at an account from everywhere its owner still gets in, from a network that has not tried", () => {
  // Here, too, one may meet a cell that somebody else has filled.
  expect(count(seen.fromEverywhere, "wrong", "busy")).toBeGreaterThanOrEqual(28);
  expect(seen.afterwards).toBe("in");
});
