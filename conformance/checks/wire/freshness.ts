import { endpoints } from "@/lib/protocol/endpoints";
import { randomNonce } from "@/lib/protocol/signature";
import type { Check } from "../../check";
import { claim, refused, succeeded } from "../../expect";
import type { Kit, Outgoing, Reply } from "../../kit";
import { profilePath } from "../../state";

const tsForm = "Protocol 2, ts";
const nonceForm = "Protocol 2, nonce";

const refusedTimes: [id: string, what: string, ts: () => string][] = [
  ["old", "six minutes old", () => inMinutes(-6)],
  ["ahead", "six minutes ahead", () => inMinutes(6)],
  ["no-zone", "without Z", () => inMinutes(0).replace("Z", "")],
  ["offset", "with +00:00 for Z", () => inMinutes(0).replace("Z", "+00:00")],
  ["lower-case", "in lower case", () => inMinutes(0).toLowerCase()],
  ["space", "with a space for T", () => inMinutes(0).replace("T", " ")],
  ["date", "that is a date only", () => inMinutes(0).slice(0, 10)],
  ["epoch", "in seconds since 1970", () => String(Math.floor(Date.now() / 1_000))],
  ["no-real-date", "on 30 February", () => "2026-02-30T12:00:00Z"],
  ["words", "in words", () => "now"],
];

const acceptedTimes: [id: string, what: string, ts: () => string][] = [
  ["seconds", "with whole seconds", () => inMinutes(0).replace(/\.\d+/, "")],
  ["nanoseconds", "with nine digits of a second", () => inMinutes(0).replace("Z", "000000Z")],
  ["within", "four minutes old", () => inMinutes(-4)],
];

const refusedNonces: [id: string, what: string, nonce: string][] = [
  ["short", "of 7 characters", "abcdefg"],
  ["long", "of 129 characters", "n".repeat(129)],
  ["character", "with a character outside its alphabet", "abcdefgh/ijkl"],
  ["space", "with a space in it", "abcdefgh ijkl"],
];

export const freshness: Check[] = [
  ...refusedTimes.map(
    ([id, what, ts]): Check => ({
      id: `freshness.ts.${id}`,
      sentence: `A ts ${what} is 401 PROF007.`,
      cites: id === "old" || id === "ahead" ? "Spec, Authentication 3" : tsForm,
      run: async (kit) => {
        refused(await list(kit, { signed: { ts: ts() } }), "PROF007");
      },
    }),
  ),
  ...acceptedTimes.map(
    ([id, what, ts]): Check => ({
      id: `freshness.ts.${id}`,
      sentence: `A ts ${what} is accepted.`,
      cites: tsForm,
      run: async (kit) => {
        succeeded(await list(kit, { signed: { ts: ts() } }), endpoints.listProposals);
      },
    }),
  ),
  {
    id: "freshness.ts.server-time",
    sentence: "PROF007 tells the gateway's clock in details.serverTime.",
    cites: tsForm,
    run: async (kit) => {
      const error = refused(await list(kit, { signed: { ts: inMinutes(-6) } }), "PROF007");
      const serverTime = Date.parse(String(error.details?.serverTime));
      claim(Math.abs(serverTime - Date.now()) < 300_000, "details.serverTime is not its clock");
    },
  },
  {
    id: "freshness.ts.before-signature",
    sentence: "A bad ts is told before a bad signature.",
    cites: "Protocol 2, Order",
    run: async (kit) => {
      const text = (canonical: string) => `${canonical}.`;
      refused(await list(kit, { signed: { ts: inMinutes(-6), text } }), "PROF007");
    },
  },
  ...refusedNonces.map(
    ([id, what, nonce]): Check => ({
      id: `freshness.nonce.${id}`,
      sentence: `A nonce ${what} is 401 PROF001.`,
      cites: nonceForm,
      run: async (kit) => {
        refused(await list(kit, { signed: { nonce } }), "PROF001");
      },
    }),
  ),
  ...([8, 128] as const).map(
    (length): Check => ({
      id: `freshness.nonce.length-${length}`,
      sentence: `A nonce of ${length} characters is accepted.`,
      cites: nonceForm,
      run: async (kit) => {
        const nonce = randomNonce().replaceAll("-", "~").repeat(6).slice(0, length);
        succeeded(await list(kit, { signed: { nonce } }), endpoints.listProposals);
      },
    }),
  ),
  {
    id: "freshness.nonce.reused",
    sentence: "A nonce that was used already is 401 PROF008.",
    cites: "Spec, Authentication 4",
    run: async (kit) => {
      const signed = { nonce: randomNonce() };
      succeeded(await list(kit, { signed }), endpoints.listProposals);
      refused(await list(kit, { signed }), "PROF008");
    },
  },
  {
    id: "freshness.nonce.replayed",
    sentence: "The very same bytes sent again are 401 PROF008.",
    cites: "Spec, Authentication 4",
    run: async (kit) => {
      const signed = { nonce: randomNonce(), ts: inMinutes(0) };
      succeeded(await list(kit, { signed }), endpoints.listProposals);
      refused(await list(kit, { signed }), "PROF008");
    },
  },
  {
    id: "freshness.nonce.elsewhere",
    sentence: "A nonce used on one endpoint is used on every other.",
    cites: "Protocol 2, nonce: remembered per DID",
    run: async (kit) => {
      const signed = { nonce: randomNonce() };
      succeeded(await list(kit, { signed }), endpoints.listProposals);
      const target = profilePath(kit, "/memories?limit=1");
      refused(await kit.call({ target, signed }), "PROF008");
    },
  },
  {
    id: "freshness.nonce.not-burned",
    sentence: "A request whose signature fails does not use its nonce up.",
    cites: "Protocol 2, nonce: claimed only after the signature has passed",
    run: async (kit) => {
      const nonce = randomNonce();
      const text = (canonical: string) => `${canonical}.`;
      refused(await list(kit, { signed: { nonce, text } }), "PROF001");
      succeeded(await list(kit, { signed: { nonce } }), endpoints.listProposals);
    },
  },
  {
    id: "freshness.nonce.per-did",
    sentence: "Two DIDs may use the same nonce.",
    cites: "Protocol 2, nonce: remembered per DID",
    needs: ["userKey"],
    run: async (kit) => {
      const signed = { nonce: randomNonce() };
      succeeded(await list(kit, { signed }), endpoints.listProposals);
      succeeded(await list(kit, { as: "user", signed }), endpoints.listProposals);
    },
  },
  {
    id: "freshness.nonce.race",
    sentence: "Of copies of one request sent at once exactly one is accepted.",
    cites: "Protocol 2, nonce: reuse across concurrent requests",
    run: async (kit) => {
      const signed = { nonce: randomNonce(), ts: inMinutes(0) };
      const copies = Array(kit.options.limitsRaised ? 20 : 5).fill(null);
      const replies: Reply[] = await Promise.all(copies.map(() => list(kit, { signed })));
      const accepted = replies.filter(({ status }) => status === 200);
      claim(accepted.length === 1, `${accepted.length} of ${copies.length} copies were accepted`);
      for (const reply of replies) if (reply.status !== 200) refused(reply, "PROF008");
    },
  },
];

function list(kit: Kit, more: Partial<Outgoing>): Promise<Reply> {
  return kit.call({ target: profilePath(kit, "/proposals?limit=1"), ...more });
}

function inMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}
