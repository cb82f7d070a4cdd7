import { endpoints } from "@/lib/protocol/endpoints";
import { covers } from "@/lib/protocol/scope";
import { type Check, NotRun } from "../../check";
import { claim, faulted, refused, succeeded } from "../../expect";
import type { Kit } from "../../kit";
import {
  grantedScope,
  memoriesOf,
  namedValuesIn,
  once,
  profilePath,
  recordsIn,
  refusedScope,
} from "../../state";

const point = "Spec, Endpoints 3. List Memories";
const paged = "Protocol 6, List Memories";

const listing = once((kit) => memoriesOf(kit, "agent"));

/** A caller who sees enough records to turn a page. */
const reader = once(async (kit) => {
  if ((await listing(kit)).meta.total >= 2) return "agent";
  const isOwnerHere = kit.options.userKey !== null;
  if (isOwnerHere && (await memoriesOf(kit, "user")).meta.total >= 2) return "user";
  throw new NotRun("nobody here reads two records of this profile");
});

const invalid: [id: string, query: string, member: string][] = [
  ["limit-zero", "limit=0", "limit"],
  ["limit-negative", "limit=-1", "limit"],
  ["limit-fraction", "limit=1.5", "limit"],
  ["limit-word", "limit=ten", "limit"],
  ["limit-empty", "limit=", "limit"],
  ["limit-exponent", "limit=1e2", "limit"],
  ["offset-negative", "offset=-1", "offset"],
  ["offset-fraction", "offset=0.5", "offset"],
  ["offset-word", "offset=x", "offset"],
];

const echoed: [id: string, what: string, query: string, limit: number][] = [
  ["default", "50 where none is given", "", 50],
  ["given", "what is given", "?limit=7", 7],
  ["most", "at most 200", "?limit=200", 200],
  ["clamped", "200 where more is given", "?limit=201", 200],
  ["clamped-far", "200 where far more is given", "?limit=99999999999999999999", 200],
];

export const memories: Check[] = [
  {
    id: "memories.shape",
    sentence: "data is an object keyed by category: arrays of records, or objects of named values.",
    cites: point,
    run: async (kit) => {
      const keys = Object.keys((await listing(kit)).data);
      const strange = keys.filter((key) => !/^prof:[a-z0-9_.-]+$/.test(key));
      claim(strange.length === 0, `${strange} is no category`);
    },
  },
  {
    id: "memories.record",
    sentence: "A record has an id of the form mem_<id>, and the category that it stands under.",
    cites: "Spec, Memory; Protocol 8, Ids",
    run: async (kit) => {
      const records = recordsIn((await memoriesOf(kit, await reader(kit))).data);
      const strange = records.find(
        ({ id, category, under }) => !/^mem_\w+$/.test(id) || category !== under,
      );
      claim(strange === undefined, JSON.stringify(strange));
    },
  },
  ...echoed.map(
    ([id, what, query, limit]): Check => ({
      id: `memories.limit.${id}`,
      sentence: `limit is ${what}, and told in meta.limit.`,
      cites: id === "default" ? "Spec, Limits 3" : paged,
      run: async (kit) => {
        const { meta } = await memoriesOf(kit, "agent", query);
        claim(meta.limit === limit, `meta.limit is ${meta.limit}`);
      },
    }),
  ),
  ...invalid.map(
    ([id, query, member]): Check => ({
      id: `memories.refuses.${id}`,
      sentence: `${query} is 400 PROF006.`,
      cites: paged,
      run: async (kit) => {
        faulted(await kit.call({ target: profilePath(kit, `/memories?${query}`) }), member);
      },
    }),
  ),
  {
    id: "memories.offset.default",
    sentence: "offset is 0 where none is given.",
    cites: paged,
    run: async (kit) => {
      const { offset } = (await listing(kit)).meta;
      claim(offset === 0, `meta.offset is ${offset}`);
    },
  },
  {
    id: "memories.count",
    sentence: "meta.count is the number of records on the page, and never more than meta.total.",
    cites: paged,
    run: async (kit) => {
      const { data, meta } = await listing(kit);
      const { length } = recordsIn(data);
      claim(
        meta.count === length && length <= meta.total,
        `${length} records, meta ${JSON.stringify(meta)}`,
      );
    },
  },
  {
    id: "memories.beyond",
    sentence: "A page beyond the last one is empty.",
    cites: paged,
    run: async (kit) => {
      const { data, meta } = await memoriesOf(kit, "agent", "?offset=2000000000");
      claim(meta.count === 0 && recordsIn(data).length === 0, JSON.stringify(meta));
    },
  },
  {
    id: "memories.pages",
    sentence: "Pages follow one another: each record comes once.",
    cites: paged,
    run: async (kit) => {
      const as = await reader(kit);
      const both = recordsIn((await memoriesOf(kit, as, "?limit=2")).data).map(({ id }) => id);
      const first = recordsIn((await memoriesOf(kit, as, "?limit=1")).data).map(({ id }) => id);
      const second = recordsIn((await memoriesOf(kit, as, "?limit=1&offset=1")).data).map(
        ({ id }) => id,
      );
      claim(
        [first, second].flat().toSorted().join() === both.toSorted().join(),
        "the pages overlap",
      );
    },
  },
  {
    id: "memories.order",
    sentence: "Records come newest first.",
    cites: paged,
    run: async (kit) => {
      const as = await reader(kit);
      const [first] = recordsIn((await memoriesOf(kit, as, "?limit=1")).data);
      const all = recordsIn((await memoriesOf(kit, as, "?limit=200")).data);
      const newer = all.find(({ createdAt }) => createdAt > (first?.createdAt ?? ""));
      claim(newer === undefined, `${newer?.id} is newer than ${first?.id}`);
    },
  },
  {
    id: "memories.named-values",
    sentence: "Named values come with the first page only.",
    cites: paged,
    run: async (kit) => {
      const { data } = await memoriesOf(kit, "agent", "?offset=1");
      const named = namedValuesIn(data);
      claim(named.length === 0, `${named} is on a later page`);
    },
  },
  {
    id: "memories.category.granted",
    sentence: "category shows that category and those below it.",
    cites: `${point}, category`,
    run: async (kit) => {
      const category = await grantedScope(kit);
      const target = profilePath(kit, `/memories?category=${category}`);
      const { data } = succeeded(await kit.call({ target }), endpoints.listMemories);
      const outside = Object.keys(data).filter((key) => !covers(category, key));
      claim(outside.length === 0, `${outside} is outside of ${category}`);
    },
  },
  {
    id: "memories.category.refused",
    sentence: "A category that the agent may not read is 403 PROF004 with deniedScopes.",
    cites: paged,
    run: async (kit) => {
      const category = await refusedScope(kit);
      const target = profilePath(kit, `/memories?category=${category}`);
      const { details } = refused(await kit.call({ target }), "PROF004");
      claim(String(details?.deniedScopes) === category, `deniedScopes is ${details?.deniedScopes}`);
    },
  },
  {
    id: "memories.owner",
    sentence: "The owner's list has at least what the agent's has.",
    cites: "Protocol 4, owner's user DID",
    needs: ["userKey"],
    run: async (kit: Kit) => {
      const [owners, agents] = [await memoriesOf(kit, "user"), await listing(kit)];
      claim(owners.meta.total >= agents.meta.total, `${owners.meta.total} < ${agents.meta.total}`);
    },
  },
];
