import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";

// Which addresses a stranger may send us to: those of the public internet.

export type AddressesOf = (name: string, signal: AbortSignal) => Promise<LookupAddress[]>;

export const notPublic = "Its address is not one of the public internet.";

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

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 4 ? "ipv4" : "ipv6");
}

// Every address of a name has to be public, and the connection goes to one of just these. Of a name that is not, no
// more is said than of one that is not there: else anybody could learn which names this network has.
export function checkedLookup(
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
export async function resolved(name: string, signal: AbortSignal): Promise<LookupAddress[]> {
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
