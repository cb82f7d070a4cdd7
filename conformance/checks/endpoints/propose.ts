import { endpoints } from "@/lib/protocol/endpoints";
import type { Check } from "../../check";
import { claim, faulted, refused, succeeded } from "../../expect";
import type { Kit } from "../../kit";
import {
  contentOf,
  firstProposal,
  profilePath,
  proposalsOf,
  propose,
  refusedScope,
} from "../../state";

const point = "Spec, Endpoints 4. Propose Memory";
const bounds = "Protocol 6, Propose";
const weekMs = 7 * 86_400_000;

const invalid: [id: string, what: string, member: string, change: object][] = [
  ["no-content", "without content", "content", { content: undefined }],
  ["content-blank", "with nothing but white space for content", "content", { content: " \n\t" }],
  ["content-long", "with content of 10,001 characters", "content", { content: "c".repeat(10_001) }],
  ["content-number", "with a number for content", "content", { content: 7 }],
  ["no-category", "without category", "category", { category: undefined }],
  [
    "category-wildcard",
    "with a wildcard for category",
    "category",
    { category: "prof:interests.*" },
  ],
  ["category-grammar", "with a category that is none", "category", { category: "interests" }],
  ["confidence-above", "with a confidence of 1.1", "confidence", { confidence: 1.1 }],
  ["confidence-below", "with a confidence of -0.1", "confidence", { confidence: -0.1 }],
  ["confidence-text", "with a text for confidence", "confidence", { confidence: "0.5" }],
  ["context-long", "with a context of 1,001 characters", "context", { context: "c".repeat(1_001) }],
];

export const proposing: Check[] = [
  {
    id: "propose.created",
    sentence: "A proposal is pending: 201 with proposalId, status and expiresAt.",
    cites: `${point}; Protocol 6, Propose: 201`,
    run: async (kit) => {
      const { reply, data } = await firstProposal(kit);
      claim(reply.status === 201, "not answered with HTTP 201", reply);
      claim(/^prop_[0-9A-Za-z]{22}$/.test(data.proposalId), `proposalId is ${data.proposalId}`);
    },
  },
  {
    id: "propose.expires",
    sentence: "A proposal expires after seven days.",
    cites: bounds,
    run: async (kit) => {
      const { data, meta } = await firstProposal(kit);
      const lifeMs = Date.parse(data.expiresAt) - Date.parse(meta.timestamp);
      claim(Math.abs(lifeMs - weekMs) < 60_000, `from ${meta.timestamp} to ${data.expiresAt}`);
    },
  },
  {
    id: "propose.same-again",
    sentence:
      "The same content in the same category, while it is pending, is the same proposal: 200.",
    cites: bounds,
    run: async (kit) => {
      const { data } = await firstProposal(kit);
      const { reply, data: again } = await propose(kit, "first", { confidence: 0.2 });
      claim(
        reply.status === 200 && again.proposalId === data.proposalId,
        "another proposal",
        reply,
      );
    },
  },
  {
    id: "propose.trimmed",
    sentence: "White space around content does not make another proposal of it.",
    cites: `${bounds}: characters after trimming`,
    run: async (kit) => {
      const { data } = await firstProposal(kit);
      const content = `  ${contentOf(kit, "first")}\n`;
      const { data: again } = await propose(kit, "first", { content });
      claim(again.proposalId === data.proposalId, "it made another proposal");
    },
  },
  {
    id: "propose.defaults",
    sentence:
      "confidence is 0.7 and context absent where the agent gives none; other members are ignored.",
    cites: `${bounds}; Protocol 8, Bodies: unknown members`,
    run: async (kit) => {
      const { data } = await propose(kit, "with the least", {
        agentDid: "did:prof:agent:local:x",
        status: "approved",
      });
      const listed = (await proposalsOf(kit, "agent")).data.find(
        ({ id }) => id === data.proposalId,
      );
      claim(listed?.confidence === 0.7, `confidence is ${listed?.confidence}`);
      claim(listed.context === undefined && listed.status === "pending", JSON.stringify(listed));
      claim(listed.agentDid === kit.options.agent.did, `agentDid is ${listed.agentDid}`);
    },
  },
  {
    id: "propose.unicode",
    sentence: "Content of 10,000 characters comes back as it was sent, whatever the script.",
    cites: bounds,
    run: async (kit) => {
      const content = `${contentOf(kit, "long")} 雪🦉é\u202e `.padEnd(9_998, "🦉").concat("é.");
      const exact = Array.from(content).slice(0, 10_000).join("");
      const { data } = await propose(kit, "long", { content: exact });
      const listed = (await proposalsOf(kit, "agent")).data.find(
        ({ id }) => id === data.proposalId,
      );
      claim(listed?.content === exact, "the content changed on its way");
    },
  },
  ...invalid.map(
    ([id, what, member, change], index): Check => ({
      id: `propose.refuses.${id}`,
      sentence: `A proposal ${what} is 400 PROF006.`,
      cites: bounds,
      run: async (kit) => {
        // Shared out, so that nobody's hour is used up.
        const as = index % 4 !== 3 && kit.options.userKey !== null ? "user" : "agent";
        const body = { content: contentOf(kit, id), category: kit.options.category, ...change };
        faulted(await kit.call({ as, method: "POST", target: path(kit), body }), member);
      },
    }),
  ),
  {
    id: "propose.consent-required",
    sentence: "Proposing where the agent may not is 403 PROF004, and nothing is stored.",
    cites: `${bounds}: needs propose for that category`,
    run: async (kit) => {
      const category = await refusedScope(kit);
      const body = { content: contentOf(kit, "unwanted"), category };
      const reply = await kit.call({ method: "POST", target: path(kit), body });
      if (reply.status === 201) return void succeeded(reply, endpoints.proposeMemory);
      const { details } = refused(reply, "PROF004");
      claim(String(details?.deniedScopes) === category, `deniedScopes is ${details?.deniedScopes}`);
      const { data } = await proposalsOf(kit, "agent");
      claim(!data.some(({ content }) => content === body.content), "it is listed nevertheless");
    },
  },
];

function path(kit: Kit): string {
  return profilePath(kit, "/memories/propose");
}
