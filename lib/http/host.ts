import { authorityOf } from "@/lib/protocol/signature";

// Nearly all requests name the same host: what was found out about the last one is kept.
let last: { host: string; authority: string | null } = { host: "", authority: null };

/** What a Host header names, as a URL writes it; null for what is no host, or host:port. */
export function authorityIn(host: string): string | null {
  if (host !== last.host) last = { host, authority: read(host) };
  return last.authority;
}

// An address is put together with it: a slash or an @ would make another one of it.
function read(host: string): string | null {
  const address = `http://${host}`;
  return /^[^\s/?#@\\]+$/.test(host) && URL.canParse(address) ? authorityOf(address) : null;
}
