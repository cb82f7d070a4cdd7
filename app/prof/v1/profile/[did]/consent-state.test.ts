import { describe, expect, test } from "vitest";
import { decideConsent, listPendingConsents } from "@/lib/services/access/consents";
import { testEngine } from "@/tests/support/harness";
import {
  giveToken,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  type PolicyGiven,
  signedIn,
} from "@/tests/support/personas";

// Protocol 6: every PROF004 says what it leaves an agent to do, in `details.state` and in its message.
const engine = await testEngine();
const [sensitive, other] = ["prof:health", "prof:interests"] as const;
const purpose = { type: "support" };

async function pair(...policies: PolicyGiven[]) {
  return { owner: await mintOwner(engine, { policies }), agent: await mintAgent(engine) };
}

type Pair = { owner: Owner; agent: Minted };
type Call = (pair: Pair, scope?: string) => Promise<unknown>;
type Calls = Record<string, Call>;

const reads: Calls = {
  "reading the profile": ({ owner: { did }, agent: { client } }, scope = sensitive) =>
    client.getProfile({ did, scopes: [scope] }),
  "listing memories": ({ owner: { did }, agent: { client } }, category = sensitive) =>
    client.listMemories({ did, category }),
};
const request: Call = ({ owner: { did }, agent: { client } }, scope = sensitive) =>
  client.requestAccess({ did, scopes: [scope], purpose });
const requesting: Calls = { "requesting access": request };
const proposing: Calls = {
  proposing: ({ owner: { did }, agent: { client } }, category = sensitive) =>
    client.proposeMemory({ did, category, content: "Sleeps well." }),
};

async function refusal(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(
    () => expect.unreachable("nothing was to be granted"),
    (thrown: { code: string; message: string; details: { state?: string } }) => thrown,
  );
  expect(error.code).toBe("PROF004");
  const isToAsk = error.message.includes("Request access");
  expect(isToAsk).toBe(error.details.state === "ask");
  return error.details.state;
}

const names = (calls: Calls) => Object.entries(calls);

describe("403 PROF004 is denied", () => {
  test.each(names({ ...reads, ...requesting, ...proposing }))(
    "%s where a rule of the owner's denies it",
    async (_name, call) => {
      const both = await pair({ deny: [sensitive], permissions: ["read", "propose"] });
      expect(await refusal(call(both))).toBe("denied");
    },
  );

  test("for a token beyond its scopes, which asking does not widen", async () => {
    const { owner, agent } = await pair();
    const { client } = await giveToken(engine, { owner, agent, scopes: [other] });
    const scopes = [sensitive];
    expect(await refusal(client.getOwnProfile({ scopes }))).toBe("denied");
  });

  test.each(names(proposing))(
    "%s where no rule allows it: consent opens reading only",
    async (_name, call) => {
      expect(await refusal(call(await pair({ permissions: ["read"] })))).toBe("denied");
    },
  );
});

describe("403 PROF004 is denied once the owner has refused", () => {
  async function refused(...policies: PolicyGiven[]): Promise<Pair> {
    const both = await pair(...policies);
    await refusal(request(both));
    const { did } = both.owner;
    const [pending] = await listPendingConsents(signedIn(engine, both.owner), did);
    const answer = { requestId: pending?.id ?? "", scopes: [], choice: "once" } as const;
    await decideConsent(signedIn(engine, both.owner), { did, ...answer });
    return both;
  }

  test.each(names({ ...reads, ...requesting }))("%s", async (_name, call) => {
    expect(await refusal(call(await refused()))).toBe("denied");
  });

  test.each(names(reads))("but %s is waiting while another purpose waits", async (_name, call) => {
    const both = await refused();
    const { did } = both.owner;
    const research = { did, scopes: [sensitive], purpose: { type: "research" } };
    expect(await refusal(both.agent.client.requestAccess(research))).toBe("waiting");
    expect(await refusal(call(both))).toBe("waiting");
  });

  test.each(names(reads))("but %s is ask where a rule grants a purpose", async (_name, call) => {
    const both = await refused({ allow: [sensitive], purposes: ["research"] });
    expect(await refusal(call(both))).toBe("ask");
  });
});

describe("403 PROF004 is ask", () => {
  test.each(names(reads))("%s of what no rule allows", async (_name, call) => {
    expect(await refusal(call(await pair()))).toBe("ask");
  });

  test.each(names({ ...reads, ...proposing }))(
    "%s what a rule allows for a purpose",
    async (_name, call) => {
      const permissions = ["read" as const, "propose" as const];
      const both = await pair({ allow: [sensitive], purposes: ["support"], permissions });
      expect(await refusal(call(both))).toBe("ask");
    },
  );

  test.each(names(reads))("%s while another scope or agent waits", async (_name, call) => {
    const both = await pair();
    await refusal(request(both, other));
    const iris = { ...both, agent: await mintAgent(engine) };
    await refusal(request(iris));
    expect(await refusal(call(both))).toBe("ask");
  });
});

describe("403 PROF004 is waiting", () => {
  test.each(names({ ...reads, ...requesting }))(
    "%s once the owner was asked",
    async (_name, call) => {
      const both = await pair();
      expect(await refusal(request(both))).toBe("waiting");
      expect(await refusal(call(both))).toBe("waiting");
    },
  );

  test("also where the owner was asked for something in it, or for all of it", async () => {
    const both = await pair();
    await refusal(request(both, "prof:health.*"));
    for (const scope of ["prof:health.sleep", "prof:*"]) {
      const { client } = both.agent;
      const reading = client.getProfile({ did: both.owner.did, scopes: [scope] });
      expect(await refusal(reading)).toBe("waiting");
    }
  });
});

test("waiting takes precedence over asking, and asking over denied", async () => {
  const both = await pair({ deny: ["prof:financial"], allow: [] });
  const { did } = both.owner;
  const { client } = both.agent;
  const read = (scopes: string[]) => refusal(client.getProfile({ did, scopes }));
  expect(await read(["prof:financial", sensitive])).toBe("ask");
  const scopes = ["prof:financial", other];
  expect(await refusal(client.requestAccess({ did, scopes, purpose }))).toBe("waiting");
  expect(await read(["prof:financial", sensitive, other])).toBe("waiting");
  expect(await read(["prof:financial", sensitive])).toBe("ask");
  expect(await read(["prof:financial"])).toBe("denied");
});
