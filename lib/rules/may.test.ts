import { describe, expect, it } from "vitest";
import { type Caller, may, mayAdminister, type ProfileFact, verbs } from "./may";

const alice: ProfileFact = {
  did: "did:prof:user:local:alice",
  ownerId: "usr_alice",
  state: "active",
  reviewers: ["usr_rae"],
};
const bob = "did:prof:user:local:bob";
const iris = "did:prof:agent:local:iris";

function token(profileDid: string, permissions: ("read" | "propose")[]): Caller {
  return {
    kind: "token",
    did: iris,
    tokenId: "tok_1",
    profileDid,
    scopes: ["prof:*"],
    permissions,
  };
}

const publicKey = new Uint8Array(32);
const sessionId = "ses_1";
const callers: Record<string, Caller> = {
  "an agent": { kind: "agent", did: iris, publicKey },
  "a token": token(alice.did, ["read", "propose"]),
  "a read token": token(alice.did, ["read"]),
  "a propose token": token(alice.did, ["propose"]),
  "bob's token": token(bob, ["read", "propose"]),
  "the owner's key": { kind: "user", did: alice.did, publicKey },
  "another user's key": { kind: "user", did: bob, publicKey },
  "the owner": { kind: "person", userId: "usr_alice", role: "user", sessionId },
  "an owner who is admin": { kind: "person", userId: "usr_alice", role: "admin", sessionId },
  "another user": { kind: "person", userId: "usr_bob", role: "user", sessionId },
  "an admin": { kind: "person", userId: "usr_root", role: "admin", sessionId },
  "a reviewer": { kind: "person", userId: "usr_rae", role: "user", sessionId },
  "a job": { kind: "gateway" },
  nobody: { kind: "nobody" },
};

// Protocol 4, spelled out: an extent, or the code of the refusal.
const table = `
                | an agent  | a token   | a read token | a propose token | the owner's key | the owner, an owner who is admin | a job   | a reviewer
getProfile      | by_policy | by_policy | by_policy    | by_policy       | all             | all                              | PROF002  | PROF002
requestAccess   | by_policy | by_policy | by_policy    | by_policy       | PROF006         | PROF006                          | PROF002  | PROF002
listMemories    | by_policy | by_policy | by_policy    | by_policy       | all             | all                              | PROF002  | PROF002
proposeMemory   | by_policy | by_policy | PROF002      | by_policy       | all             | all                              | PROF002  | PROF002
listProposals   | own_only  | own_only  | own_only     | own_only        | all             | all                              | PROF002  | PROF002
followRequest   | own_only  | own_only  | own_only     | own_only        | PROF006         | PROF006                          | PROF002  | PROF002
withdrawProposal| own_only  | own_only  | own_only     | own_only        | PROF006         | PROF006                          | PROF002  | PROF002
answerWhy       | own_only  | own_only  | own_only     | own_only        | PROF006         | PROF006                          | PROF002  | PROF002
askWhy          | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
reviewProposal  | PROF002   | PROF002   | PROF002      | PROF002         | all             | all                              | PROF002  | PROF002
editReviewers   | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
reviewForOwner  | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | all
editApproving   | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
approveByRule   | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | PROF002                          | all  | PROF002
liftRejection   | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
reopenProposal  | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
editProfile     | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
browseMemories  | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
editMemories    | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
editPolicies    | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
seeAsAgent      | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
decideConsent   | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
revokeAgent     | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
quarantineAgent | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
liftQuarantine  | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
revokeReceipt   | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
restoreAccess   | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
editTokens      | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
editKeys        | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
readActivity    | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
exportProfile   | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
importProfile   | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
importMemories  | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
deleteProfile   | PROF002   | PROF002   | PROF002      | PROF002         | PROF002         | all                              | PROF002  | PROF002
`;
const cells = readTable(table);

describe.each(verbs())("%s", (verb) => {
  it.each(Object.entries(callers))(`%s`, (name, caller) => {
    const permit = may({ caller, verb, profile: alice });
    // Whom the table does not name may do nothing at all.
    expect(answerOf(permit)).toBe(cells.get(`${verb} ${name}`) ?? "PROF002");
  });
});

it("the table above names each verb there is", () => {
  const named = new Set([...cells.keys()].map((key) => key.split(" ")[0]));
  expect([...named].sort()).toEqual([...verbs()].sort());
});

it.each([
  ["reviewProposal", "an agent", "owner_only"],
  ["getProfile", "bob's token", "token_of_another_profile"],
  ["proposeMemory", "a read token", "token_lacks_propose"],
  ["requestAccess", "the owner's key", "own_profile"],
  ["getProfile", "another user's key", "not_the_owner"],
  ["exportProfile", "an admin", "no_contents_for_admins"],
  ["editKeys", "the owner's key", "sign_in_first"],
] as const)("a refusal says why: %s by %s", (verb, name, because) => {
  const caller = callers[name] ?? { kind: "nobody" };
  expect(may({ caller, verb, profile: alice })).toMatchObject({ allowed: false, because });
});

it("nobody may do anything on a suspended profile, its owner included", () => {
  const suspended: ProfileFact = { ...alice, state: "suspended" };
  for (const caller of Object.values(callers)) {
    for (const verb of verbs()) {
      const permit = may({ caller, verb, profile: suspended });
      expect(permit.allowed).toBe(false);
      const wasAllowed = may({ caller, verb, profile: alice }).allowed;
      if (wasAllowed)
        expect(permit).toMatchObject({ because: "profile_suspended", code: "PROF002" });
    }
  }
});

it("an admin administers, and nobody else does", () => {
  const admins = Object.entries(callers).filter(([, caller]) => mayAdminister(caller).allowed);
  expect(admins.map(([name]) => name)).toEqual(["an owner who is admin", "an admin"]);
});

function answerOf(permit: ReturnType<typeof may>): string {
  return permit.allowed ? permit.extent : permit.code;
}

function readTable(text: string): Map<string, string> {
  const [[, ...heads] = [], ...lines] = text
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return new Map(
    lines.flatMap(([verb, ...answers]) =>
      answers.flatMap((answer, column) =>
        (heads[column] ?? "")
          .split(", ")
          .map((name): [string, string] => [`${verb} ${name}`, answer]),
      ),
    ),
  );
}
