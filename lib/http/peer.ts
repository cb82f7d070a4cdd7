import { randomBytes } from "node:crypto";
import type { Fields } from "./protocol-request";

// The address of the peer. Only the front door sees the socket: it passes the address on in a header, with a
// proof that no client knows, and removes these headers from requests.
export const peerHeader = "x-gateway-peer";
/** Set if a proxy has written where the request comes from. */
export const proxiedHeader = "x-gateway-proxied";

/** Marks a page that Next.js fetches before it is opened. Next.js hides its own header from the proxy. */
export const prefetchHeader = "x-gateway-prefetch";

const slot = Symbol.for("profile-access-gateway.peer-proof");
const shared = globalThis as typeof globalThis & { [slot]?: string };

export function peerHeaderValue(address: string, requestId = ""): string {
  shared[slot] ??= randomBytes(32).toString("hex");
  return `${shared[slot]} ${address} ${requestId}`;
}

/** Returns the id that the front door gave the request; null without a front door. */
export function requestIdOf(headers: Fields): string | null {
  return proven(headers, 2);
}

/** Returns the address that the front door is connected to; null without a front door. */
export function socketPeerOf(headers: Fields): string | null {
  return proven(headers, 1);
}

function proven(headers: Fields, index: 1 | 2): string | null {
  const parts = (headers.get(peerHeader) ?? "").split(" ");
  const isProven = shared[slot] !== undefined && parts[0] === shared[slot];
  return (isProven && parts[index]) || null;
}

// Returns the peer's address; null if nobody we trust says it, as behind `next start` without our proxy.
export function peerOf(headers: Fields, trustProxyHops: number): string | null {
  const direct = socketPeerOf(headers);
  if (trustProxyHops === 0) return direct;
  // Each of our proxies appends the address it saw; a client may have written everything before.
  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",").map((part) => part.trim());
  const seen = forwarded.filter((part) => part !== "").at(-trustProxyHops);
  return seen === undefined ? direct : withoutPort(seen);
}

// Some proxies append the port, which would make each connection a peer.
function withoutPort(address: string): string {
  const [, v4, v6] = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(address) ?? [];
  return v4 ?? v6 ?? address;
}
