import { isIP } from "node:net";
import { isPublicAddress } from "@/lib/engine/outbound/public-address";

/** Why the servers of a program's maker cannot call an address; null where they can, as far as its name tells. */
export function unreachableBecause(address: string): string | null {
  const { protocol, hostname } = new URL(address);
  if (isPrivate(hostname)) return `${hostname} is an address of this machine or its network`;
  return protocol === "https:" ? null : "the address does not begin with https";
}

const privateNames = /^(localhost|.*\.(localhost|local|internal|lan|home|test)|[^.]+)$/i;

function isPrivate(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return isIP(address) === 0 ? privateNames.test(hostname) : !isPublicAddress(address);
}
