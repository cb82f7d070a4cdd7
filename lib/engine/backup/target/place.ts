import path from "node:path";
import { fileURLToPath } from "node:url";

/** Where backups are kept, as BACKUP_URL says. */
export type BackupPlace = { kind: "folder"; folder: string } | S3Place;

export interface S3Place {
  kind: "s3";
  /** The bucket's address; objects are below it. */
  endpoint: URL;
  /** Empty, or ends with a slash. */
  prefix: string;
  region: string;
  key: string;
  secret: string;
}

export const placeForms =
  "must be an absolute folder, file:///folder or s3://KEY:SECRET@host/bucket/prefix?region=eu-central-1";

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns null for what is not such an address. */
export function parsePlace(text: string): BackupPlace | null {
  if (path.isAbsolute(text)) return { kind: "folder", folder: text };
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol === "file:" && url.host === "") {
    return { kind: "folder", folder: fileURLToPath(url) };
  }
  return url.protocol === "s3:" ? parseS3(url) : null;
}

function parseS3(url: URL): S3Place | null {
  const [bucket, ...folders] = url.pathname.split("/").filter((part) => part !== "");
  const region = url.searchParams.get("region") ?? "us-east-1";
  const isPlain = url.searchParams.get("tls") === "off";
  if (!url.host || !bucket || !url.username || !url.password) return null;
  if (isPlain && !loopback.test(url.hostname)) return null;
  try {
    return {
      kind: "s3",
      endpoint: new URL(`${isPlain ? "http" : "https"}://${url.host}/${bucket}/`),
      prefix: folders.map((folder) => `${decodeURIComponent(folder)}/`).join(""),
      region,
      key: decodeURIComponent(url.username),
      secret: decodeURIComponent(url.password),
    };
  } catch {
    // A percent sign that encodes nothing.
    return null;
  }
}
