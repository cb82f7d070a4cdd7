import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress, notPublic } from "./public-address";
import { FetchRefused, type RequestSettings, readText, requestPublic } from "./public-request";

// Sends a text to an address that a stranger names, and keeps the beginning of the answer.

export interface PostSettings extends Partial<RequestSettings> {
  /** In development: also to http addresses of this machine. */
  allowsLoopback?: boolean;
}

export interface Posted {
  status: number;
  text: string;
}

interface Message {
  body: string;
  headers: Record<string, string>;
}

const bytesMax = 1_024;
const msMaxDefault = 10_000;

/** Posts a message once. A redirect is an answer like any other: it is not followed. */
export async function postPublic(
  url: string,
  { body, headers }: Message,
  { allowsLoopback = false, msMax = msMaxDefault, ...given }: PostSettings = {},
): Promise<Posted> {
  const why = whyNotPosted(url, { allowsLoopback });
  if (why !== null) throw new FetchRefused(why);
  const settings = url.startsWith("http:") ? { ...given, ...thisMachine } : given;
  return requestPublic<Posted>(
    url,
    { msMax, ...settings },
    {
      method: "POST",
      headers: {
        ...{ "User-Agent": "profile-access-gateway", "Content-Length": Buffer.byteLength(body) },
        ...headers,
      },
      body,
      read(response, { resolve }) {
        const status = response.statusCode ?? 0;
        readText(response, bytesMax, (text) => resolve({ status, text }));
      },
    },
  );
}

const thisMachine = {
  isAllowed: isLoopbackAddress,
  addressesOf: (name: string) => lookup(name, { all: true }),
};

const portMin = 1_024;

/** Returns what is wrong with an address for messages; null for a possible one. Names are looked up when sending. */
export function whyNotPosted(
  url: string,
  { allowsLoopback = false }: Pick<PostSettings, "allowsLoopback"> = {},
): string | null {
  if (!URL.canParse(url)) return "Must be an address such as https://agent.example.com/webhook.";
  const { protocol, hostname, port, username, password, hash } = new URL(url);
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && allowsLoopback && isLocal)) {
    return "Must begin with https://.";
  }
  if (username !== "" || password !== "") return "Must have no user name and no password.";
  if (hash !== "") return "Must have no part after #.";
  if (port !== "" && Number(port) < portMin) return `Must have port 443, or ${portMin} or higher.`;
  const host = hostname.replace(/^\[|\]$/g, "");
  const isPrivate = isIP(host) !== 0 && !isPublicAddress(host);
  return isPrivate && protocol === "https:" ? notPublic : null;
}
