import type { MemoryProposal } from "@/lib/protocol/resources";
import type { Check } from "../../check";
import { claim, faulted } from "../../expect";
import type { Kit } from "../../kit";
import { contentOf, firstProposal, profilePath, proposalsOf } from "../../state";

const point = "Spec, Endpoints 5. List Proposals";
const paged = "Protocol 6, List Proposals";

const invalid: [query: string, member: string][] = [
  ["status=expired", "status"],
  ["status=Pending", "status"],
  ["status=", "status"],
  ["limit=0", "limit"],
  ["limit=many", "limit"],
  ["offset=-1", "offset"],
];

export const listingProposals: Check[] = [
  {
    id: "proposals.fields",
    sentence: "An item carries what was proposed, by whom and when.",
    cites: "Spec, Memory proposal; Protocol 6, List Proposals",
    run: async (kit) => {
      const { category, agent, userDid } = kit.options;
      const { proposedAt, expiresAt, ...item } = await listedFirst(kit, "agent");
      const { data } = await firstProposal(kit);
      const expected = {
        id: data.proposalId,
        userDid,
        agentDid: agent.did,
        content: contentOf(kit, "first"),
        category,
        confidence: 0.9,
        context: "To see how the gateway answers.",
        status: "pending",
      };
      for (const [name, value] of Object.entries(expected)) {
        const found = Object.entries(item).find(([key]) => key === name)?.[1];
        claim(found === value, `${name} is ${found}, not ${value}`);
      }
      claim(expiresAt === data.expiresAt && proposedAt < expiresAt, `${proposedAt}, ${expiresAt}`);
    },
  },
  {
    id: "proposals.own-only",
    sentence: "An agent sees its own proposals only.",
    cites: "Protocol 4, list proposals",
    run: async (kit) => {
      const { data } = await proposalsOf(kit, "agent");
      const foreign = data.find(({ agentDid }) => agentDid !== kit.options.agent.did);
      claim(foreign === undefined, `it sees one of ${foreign?.agentDid}`);
    },
  },
  {
    id: "proposals.owner",
    sentence: "The owner sees what the agent proposed.",
    cites: `${point}: the user's view`,
    needs: ["userKey"],
    run: async (kit) => {
      const [owners, agents] = [await listedFirst(kit, "user"), await listedFirst(kit, "agent")];
      claim(JSON.stringify(owners) === JSON.stringify(agents), "the two views differ");
    },
  },
  {
    id: "proposals.count",
    sentence: "meta.count is the number of items in data; meta.total all that match.",
    cites: "Spec, Common response envelope, meta.count",
    run: async (kit) => {
      await firstProposal(kit);
      const { data, meta } = await proposalsOf(kit, "agent");
      claim(meta.count === data.length && meta.total >= meta.count, JSON.stringify(meta));
      claim(meta.count > 0, "what was proposed is not listed");
    },
  },
  {
    id: "proposals.limit-default",
    sentence: "limit is 100 and offset 0 where none is given.",
    cites: paged,
    run: async (kit) => {
      const { limit, offset } = (await proposalsOf(kit, "agent")).meta;
      claim(limit === 100 && offset === 0, `limit ${limit}, offset ${offset}`);
    },
  },
  {
    id: "proposals.page",
    sentence: "limit and offset cut a page out of the list.",
    cites: paged,
    run: async (kit) => {
      await firstProposal(kit);
      const all = (await proposalsOf(kit, "agent", "?limit=2")).data.map(({ id }) => id);
      const { data, meta } = await proposalsOf(kit, "agent", "?limit=1&offset=1");
      claim(data.length <= 1 && meta.count === data.length, JSON.stringify(meta));
      claim(data[0]?.id === all[1], `the second is ${data[0]?.id}, not ${all[1]}`);
    },
  },
  {
    id: "proposals.order",
    sentence: "Proposals come newest first.",
    cites: paged,
    run: async (kit) => {
      const times = (await proposalsOf(kit, "agent")).data.map(({ proposedAt }) => proposedAt);
      claim(
        times.every((time, at) => at === 0 || time <= (times[at - 1] ?? "")),
        "not newest first",
      );
    },
  },
  ...(["pending", "approved", "rejected"] as const).map(
    (status): Check => ({
      id: `proposals.status.${status}`,
      sentence: `status=${status} lists no other.`,
      cites: `${point}, status`,
      run: async (kit) => {
        const { data } = await proposalsOf(kit, "agent", `?status=${status}`);
        const other = data.find((one) => one.status !== status);
        claim(other === undefined, `${other?.id} is ${other?.status}`);
      },
    }),
  ),
  ...invalid.map(
    ([query, member]): Check => ({
      id: `proposals.refuses.${query}`,
      sentence: `${query} is 400 PROF006.`,
      cites: member === "status" ? `${point}, status` : paged,
      run: async (kit) => {
        faulted(await kit.call({ target: profilePath(kit, `/proposals?${query}`) }), member);
      },
    }),
  ),
];

async function listedFirst(kit: Kit, as: "agent" | "user"): Promise<MemoryProposal> {
  const { data } = await firstProposal(kit);
  const listed = (await proposalsOf(kit, as)).data.find(({ id }) => id === data.proposalId);
  claim(listed !== undefined, `${data.proposalId} is not listed`);
  return listed;
}
