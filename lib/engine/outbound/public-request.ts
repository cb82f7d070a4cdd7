import { type IncomingMessage, type RequestOptions, request as requestOverHttp } from "node:http";
import { request } from "node:https";
import { isIP } from "node:net";
import {
  type AddressesOf,
  checkedLookup,
  isPublicAddress,
  notPublic,
  resolved,
} from "./public-address";

// One request to an address that a stranger names: to the public internet only, in few seconds, on a connection of its
// own. Redirects are not followed.

/** Says why in words for that stranger: nothing in them tells what this network holds. */
export class FetchRefused extends Error {
  override readonly name = "FetchRefused";
}

export interface RequestSettings {
  msMax: number;
  /** Tests serve on loopback, by names of this machine. */
  isAllowed?: (address: string) => boolean;
  addressesOf?: AddressesOf;
  ca?: string;
}

interface Sent<T> extends Pick<RequestOptions, "method" | "headers"> {
  body?: string;
  /** Reads the response, and settles once. */
  read: (response: IncomingMessage, outcome: Outcome<T>) => void;
}

interface Outcome<T> {
  resolve: (value: T) => void;
  refuse: (why: string) => void;
}

export async function requestPublic<T>(
  url: string,
  { msMax, isAllowed = isPublicAddress, addressesOf = resolved, ca }: RequestSettings,
  { read, body, ...options }: Sent<T>,
): Promise<T> {
  const { hostname, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  // Node looks up no address that is one already.
  if (isIP(host) !== 0 && !isAllowed(host)) throw new FetchRefused(notPublic);
  const signal = AbortSignal.timeout(msMax);
  const lookup = checkedLookup((name) => addressesOf(name, signal), isAllowed);
  const send = protocol === "http:" ? requestOverHttp : request;
  return new Promise<T>((resolve, reject) => {
    const fail = (error: Error) =>
      reject(
        error instanceof FetchRefused ? error : new FetchRefused(unreachable, { cause: error }),
      );
    const sent = send(url, { agent: false, signal, ca, lookup, ...options }, (response) => {
      const refuse = (why: string) => {
        response.destroy();
        reject(new FetchRefused(why));
      };
      response.on("error", fail);
      read(response, { resolve, refuse });
    });
    sent.on("error", fail);
    // Some ends come without an error, and some answers never end.
    sent.on("close", () => fail(new Error("The connection was closed.")));
    signal.addEventListener("abort", () => fail(new Error("The time is over.")));
    sent.on("upgrade", (_response, socket) => socket.destroy());
    let hints = 0;
    sent.on("information", () => {
      if (++hints > hintsMax) sent.destroy();
    });
    sent.end(body);
  });
}

const hintsMax = 3;
const unreachable = "Its address could not be reached.";

/** Reads the text of a response up to so many bytes, and ends it there. */
export function readText(
  response: IncomingMessage,
  bytesMax: number,
  done: (text: string, isWhole: boolean) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finish = (isWhole: boolean) =>
    done(Buffer.concat(chunks).subarray(0, bytesMax).toString("utf8"), isWhole);
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= bytesMax) return;
    response.removeAllListeners("data");
    finish(false);
    response.destroy();
  });
  response.on("end", () => finish(true));
}
