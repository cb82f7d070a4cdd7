import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { request } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";

// Fetches a document at an address that a stranger names: from the public internet only, in few bytes and seconds.

/** Says why in words for that stranger: nothing in them tells what this network holds. */
export class FetchRefused extends Error {
  override readonly name = "FetchRefused";
}

export interface FetchSettings {
  bytesMax: number;
  msMax: number;
  /** Tests serve on loopback, by names of this machine. */
  isAllowed?: (address: string) => boolean;
  addressesOf?: AddressesOf;
  ca?: string;
}

type AddressesOf = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>;

export interface Fetched {
  text: string;
  /** How long it may be kept, by its own headers. */
  maxAgeSeconds: number;
}

// Of IPv4 all but these, which the registries keep for special uses.
const special4 = new BlockList();
for (const [net, bits] of [
  ...([
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
  ] as const),
  ...([
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
  ] as const),
  ...([
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
  ] as const),
  ...([
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 4],
    ["240.0.0.0", 4],
  ] as const),
] as const) {
  special4.addSubnet(net, bits);
}

// Of IPv6 only what is given out, without what leads to IPv4 or is for examples.
const given6 = new BlockList();
given6.addSubnet("2000::", 3, "ipv6");
const special6 = new BlockList();
for (const [net, bits] of [
  ...([
    ["2001::", 23],
    ["2001:db8::", 32],
    ["2002::", 16],
    ["3fff::", 20],
  ] as const),
] as const) {
  special6.addSubnet(net, bits, "ipv6");
}

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special4.check(address);
  if (family === 6) return given6.check(address, "ipv6") && !special6.check(address, "ipv6");
  return false;
}

/** Returns the JSON text at an https address. Redirects are not followed. */
export async function fetchPublicJson(
  url: string,
  { bytesMax, msMax, isAllowed = isPublicAddress, addressesOf = resolved, ca }: FetchSettings,
): Promise<Fetched> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  // Node looks up no address that is one already.
  if (isIP(host) !== 0 && !isAllowed(host)) throw new FetchRefused(notPublic);
  const signal = AbortSignal.timeout(msMax);
  const headers = { Accept: "application/json", "User-Agent": "profile-access-gateway" };
  const lookup = checkedLookup((name) => addressesOf(name, signal), isAllowed);
  const options = { agent: false, headers, signal, ca, lookup };
  return new Promise<Fetched>((resolve, reject) => {
    const refuse = (error: Error) =>
      reject(
        error instanceof FetchRefused ? error : new FetchRefused(unreachable, { cause: error }),
      );
    const sent = request(url, options, (response) => {
      const { statusCode, headers: fields } = response;
      const refuseBody = (why: string) => {
        response.destroy();
        reject(new FetchRefused(why));
      };
      if (statusCode !== 200) return refuseBody(`Its address answered ${statusCode}, not 200.`);
      if (!isJson.test(fields["content-type"] ?? "")) return refuseBody("It is no JSON document.");
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > bytesMax) refuseBody(`It has more than ${bytesMax} bytes.`);
      });
      response.on("error", refuse);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ text, maxAgeSeconds: maxAgeIn(fields["cache-control"]) });
      });
    });
    sent.on("error", refuse);
    // Some ends come without an error, and some answers never end.
    sent.on("close", () => refuse(new Error("The connection was closed.")));
    signal.addEventListener("abort", () => refuse(new Error("The time is over.")));
    sent.on("upgrade", (_response, socket) => socket.destroy());
    let hints = 0;
    sent.on("information", () => {
      if (++hints > hintsMax) sent.destroy();
    });
    sent.end();
  });
}

const hintsMax = 3;
const notPublic = "Its address is not one of the public internet.";
const unreachable = "Its address could not be reached.";
const isJson = /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i;

// Every address of a name has to be public, and the connection goes to one of just these. Of a name that is not, no
// more is said than of one that is not there: else anybody could learn which names this network has.
function checkedLookup(
  addressesOf: (name: string) => Promise<LookupAddress[]>,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (name, options, callback) => {
    const answer = (addresses: LookupAddress[]) => {
      const [first] = addresses;
      const isPublic = addresses.every(({ address }) => isAllowed(address));
      if (first === undefined || !isPublic) return callback(new Error(notPublic), [], 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    addressesOf(name).then(answer, (error: Error) => callback(error, [], 0));
  };
}

// Asks the name server directly: lookups by the system would queue with all others of this process.
async function resolved(name: string, signal: AbortSignal): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  signal.addEventListener("abort", () => resolver.cancel());
  const of = (family: 4 | 6, found: Promise<string[]>) =>
    found.then((all) => all.map((address) => ({ address, family })));
  const found = await Promise.allSettled([
    of(4, resolver.resolve4(name)),
    of(6, resolver.resolve6(name)),
  ]);
  return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

const maxAgeSecondsMax = 86_400;

function maxAgeIn(cacheControl = ""): number {
  if (/\bno-(store|cache)\b/.test(cacheControl)) return 0;
  const [, seconds = "0"] = /\bmax-age=(\d{1,9})\b/.exec(cacheControl) ?? [];
  return Math.min(Number(seconds), maxAgeSecondsMax);
}
