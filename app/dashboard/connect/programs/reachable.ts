/** Why the servers of a program's maker cannot call an address; null where they can, as far as its name tells. */
export function unreachableBecause(address: string): string | null {
  const { protocol, hostname } = new URL(address);
  if (isPrivate(hostname)) return `${hostname} is an address of this machine or its network`;
  return protocol === "https:" ? null : "the address does not begin with https";
}

const privateNames = /^(localhost|.*\.(localhost|local|internal|lan|home|test)|[^.]+)$/i;
const privateNumbers =
  /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;

function isPrivate(hostname: string): boolean {
  if (hostname.startsWith("[")) return !/^\[[23]/.test(hostname);
  return privateNames.test(hostname) || privateNumbers.test(hostname);
}
