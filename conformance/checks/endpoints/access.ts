import { endpoints } from "@/lib/protocol/endpoints";
import { covers, type Scope } from "@/lib/protocol/scope";
import { type Check, NotRun } from "../../check";
import { claim, faulted, refused, succeeded, understood } from "../../expect";
import type { Kit } from "../../kit";
import { grantedScope, once, profilePath, refusedScope, scopeAnswers } from "../../state";

const point = "Spec, Endpoints 2. Request Access";
const required = "Protocol 6, Request Access";
const purpose = {
  type: "personalization",
  description: "To see how the gateway answers.",
  legalBasis: "consent",
  retention: "session_only",
};
const valid = { scopes: ["prof:preferences"], purpose };

const invalid: [id: string, what: string, member: string, body: object][] = [
  ["no-scopes", "without scopes", "scopes", { purpose }],
  ["scopes-empty", "with no scope in scopes", "scopes", { ...valid, scopes: [] }],
  ["scopes-text", "with scopes as one text", "scopes", { ...valid, scopes: "prof:preferences" }],
  ["scopes-number", "with a number among the scopes", "scopes", { ...valid, scopes: [1] }],
  ["scopes-grammar", "with a scope that is none", "scopes", { ...valid, scopes: ["preferences"] }],
  [
    "scopes-many",
    "with 51 scopes",
    "scopes",
    { ...valid, scopes: Array.from({ length: 51 }, (_, at) => `prof:p${at}`) },
  ],
  ["no-purpose", "without purpose", "purpose", { scopes: valid.scopes }],
  ["purpose-text", "with purpose as a text", "purpose", { ...valid, purpose: "personalization" }],
  [
    "no-type",
    "without purpose.type",
    "type",
    { ...valid, purpose: { ...purpose, type: undefined } },
  ],
  [
    "type-grammar",
    "with a purpose.type that is no word",
    "type",
    { ...valid, purpose: { type: "To sell!" } },
  ],
  [
    "type-long",
    "with a purpose.type of 65 characters",
    "type",
    { ...valid, purpose: { type: "t".repeat(65) } },
  ],
  [
    "description-long",
    "with a description of 501 characters",
    "description",
    { ...valid, purpose: { ...purpose, description: "d".repeat(501) } },
  ],
  [
    "legal-basis",
    "with a legalBasis that is no word",
    "legalBasis",
    { ...valid, purpose: { ...purpose, legalBasis: "Art. 6" } },
  ],
  [
    "retention",
    "with a retention that is no word",
    "retention",
    { ...valid, purpose: { ...purpose, retention: "for ever" } },
  ],
];

/** A receipt for one scope that is granted and, where there is one, one that is not. */
const receipt = once(async (kit) => {
  const scopes = [await grantedScope(kit), await refusedScope(kit)];
  const reply = await kit.call({ method: "POST", target: path(kit), body: { scopes, purpose } });
  return { scopes, reply, ...succeeded(reply, endpoints.requestAccess, 200) };
});

/** Asking for nothing but what is refused, twice. */
const refusal = once(async (kit) => {
  await refusedScope(kit);
  const scopes = (await scopeAnswers(kit)).refused;
  const ask = () => kit.call({ method: "POST", target: path(kit), body: { scopes, purpose } });
  const reply = await ask();
  if (reply.status === 200) throw new NotRun(`${scopes} is granted for this purpose`);
  return { scopes, first: refused(reply, "PROF004"), second: refused(await ask(), "PROF004") };
});

export const access: Check[] = [
  ...invalid.map(
    ([id, what, member, body], index): Check => ({
      id: `access.refuses.${id}`,
      sentence: `A request ${what} is 400 PROF006.`,
      cites: required,
      run: async (kit) => {
        // Shared out, so that nobody's hour is used up.
        const as = index % 2 === 1 && kit.options.userKey !== null ? "user" : "agent";
        faulted(await kit.call({ as, method: "POST", target: path(kit), body }), member);
      },
    }),
  ),
  {
    id: "access.vocabulary",
    sentence: "Words of the purpose that nobody knows are let through.",
    cites: `${required}: open vocabularies`,
    run: async (kit) => {
      const own = { type: "star_gazing", legalBasis: "old_custom", retention: "24h" };
      const body = { scopes: ["prof:preferences"], purpose: own };
      understood(await kit.call({ method: "POST", target: path(kit), body }));
    },
  },
  {
    id: "access.receipt.id",
    sentence: "A receipt has an id of the form rcpt_<id>.",
    cites: "Spec, Access receipt; Protocol 8, Ids",
    run: async (kit) => {
      const { receiptId } = (await receipt(kit)).data;
      claim(/^rcpt_[0-9A-Za-z]{22}$/.test(receiptId), `receiptId is ${receiptId}`);
    },
  },
  {
    id: "access.receipt.scopes",
    sentence:
      "Each requested scope is either granted or denied; beside those only parts of granted ones are denied.",
    cites: `${point}; Protocol 5`,
    run: async (kit) => {
      const { scopes, data } = await receipt(kit);
      const { grantedScopes: granted, deniedScopes: denied } = data;
      const isCutOut = (scope: Scope) =>
        !scopes.includes(scope) && granted.some((whole) => covers(whole, scope));
      const answered = [...granted, ...denied.filter((scope) => !isCutOut(scope))];
      const right =
        granted.includes(scopes[0] ?? "") &&
        answered.toSorted().join() === scopes.toSorted().join();
      claim(right, `requested ${scopes}, granted ${granted}, denied ${denied}`);
    },
  },
  {
    id: "access.receipt.expires",
    sentence: "A receipt lives at most 24 hours.",
    cites: required,
    run: async (kit) => {
      const { grantedAt, expiresAt } = (await receipt(kit)).data;
      const lifeMs = Date.parse(expiresAt) - Date.parse(grantedAt);
      claim(lifeMs > 0 && lifeMs <= 86_400_000, `from ${grantedAt} to ${expiresAt}`);
    },
  },
  {
    id: "access.receipt.parties",
    sentence: "A receipt says whose profile, which agent and what for.",
    cites: required,
    run: async (kit) => {
      const { data } = await receipt(kit);
      claim(data.userDid === kit.options.userDid, `userDid is ${data.userDid}`);
      claim(data.agentDid === kit.options.agent.did, `agentDid is ${data.agentDid}`);
      const same = Object.entries(purpose).every(
        ([name, value]) => value === member(data.purpose, name),
      );
      claim(same, `purpose is ${JSON.stringify(data.purpose)}`);
    },
  },
  {
    id: "access.consent-required",
    sentence: "Where nothing is granted there is no receipt: 403 PROF004 with deniedScopes.",
    cites: "Spec, Errors, error.details; Protocol 6, Request Access",
    run: async (kit) => {
      const { scopes, first } = await refusal(kit);
      claim(String(first.details?.deniedScopes) === scopes.join(), "deniedScopes differ");
      claim(first.message.includes(scopes[0] ?? ""), `the message does not name ${scopes[0]}`);
    },
  },
  {
    id: "access.consent-state",
    sentence: "The refusal says whether it was denied, or waits for the owner.",
    cites: required,
    run: async (kit) => {
      const { state, consentRequestId } = (await refusal(kit)).first.details ?? {};
      claim(state === "denied" || state === "waiting", `details.state is ${state}`);
      const waits = consentRequestId === undefined || state === "waiting";
      claim(waits, `${consentRequestId} waits, and details.state is ${state}`);
    },
  },
  {
    id: "access.consent-request",
    sentence: "The refusal says which consent request is open, and where the owner decides.",
    cites: required,
    run: async (kit) => {
      const { consentRequestId, consentUrl } = (await refusal(kit)).first.details ?? {};
      if (consentRequestId === undefined)
        throw new NotRun("the owner has denied all of it by name");
      claim(
        /^creq_[0-9A-Za-z]{22}$/.test(String(consentRequestId)),
        `consentRequestId is ${consentRequestId}`,
      );
      claim(URL.canParse(String(consentUrl)), `consentUrl is ${consentUrl}`);
    },
  },
  {
    id: "access.consent-request.once",
    sentence: "Asking again joins the consent request that is open.",
    cites: required,
    run: async (kit) => {
      const { first, second } = await refusal(kit);
      const input = first.details?.consentRequestId;
      if (input === undefined) throw new NotRun("the owner has denied all of it by name");
      const again = second.details?.consentRequestId;
      claim(again === input, `${input} and ${again}`);
    },
  },
  {
    id: "access.owner",
    sentence: "An owner asking for access to the own profile is 400 PROF006.",
    cites: "Protocol 4, owner's user DID",
    needs: ["userKey"],
    run: async (kit) => {
      refused(
        await kit.call({ as: "user", method: "POST", target: path(kit), body: valid }),
        "PROF006",
      );
    },
  },
];

function path(kit: Kit): string {
  return profilePath(kit, "/access");
}

function member(value: object, name: string): unknown {
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
