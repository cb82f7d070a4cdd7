import { type RequestSettings, readText, requestPublic } from "./public-request";

// Fetches a document at an address that a stranger names, in few bytes.

export interface FetchSettings extends RequestSettings {
  bytesMax: number;
}

export interface Fetched {
  text: string;
  /** How long it may be kept, by its own headers. */
  maxAgeSeconds: number;
}

/** Returns the JSON text at an https address. */
export function fetchPublicJson(
  url: string,
  { bytesMax, ...settings }: FetchSettings,
): Promise<Fetched> {
  const headers = { Accept: "application/json", "User-Agent": "profile-access-gateway" };
  return requestPublic<Fetched>(url, settings, {
    headers,
    read(response, { resolve, refuse }) {
      const { statusCode, headers: fields } = response;
      if (statusCode !== 200) return refuse(`Its address answered ${statusCode}, not 200.`);
      if (!isJson.test(fields["content-type"] ?? "")) return refuse("It is no JSON document.");
      readText(response, bytesMax, (text, isWhole) => {
        if (isWhole) resolve({ text, maxAgeSeconds: maxAgeIn(fields["cache-control"]) });
        else refuse(`It has more than ${bytesMax} bytes.`);
      });
    },
  });
}

const isJson = /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i;
const maxAgeSecondsMax = 86_400;

function maxAgeIn(cacheControl = ""): number {
  if (/\bno-(store|cache)\b/.test(cacheControl)) return 0;
  const [, seconds = "0"] = /\bmax-age=(\d{1,9})\b/.exec(cacheControl) ?? [];
  return Math.min(Number(seconds), maxAgeSecondsMax);
}
