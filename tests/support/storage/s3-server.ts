import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

// Storage that speaks S3, with one bucket. It verifies each request from the bytes that arrived, by the steps of
// "Authenticating Requests (AWS Signature Version 4)", and shares no code with what signs.

export interface S3Server {
  /** For BACKUP_URL. */
  url: string;
  objects: Map<string, Buffer>;
  /** Answers so many further requests with 503. */
  failNext(count: number): void;
  /** Closes the connection in the middle of the next object that is read. */
  cutNext(): void;
  stop(): Promise<void>;
}

const key = "AKIDTEST";
const secret = "te/st+Secret";
const region = "eu-central-1";
const bucket = "bucket";
const keysAtOnce = 2;

export async function startS3Server(prefix = "some/prefix"): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  let failing = 0;
  let isCutting = false;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (failing > 0) {
      failing -= 1;
      return refuse(response, 503, "SlowDown");
    }
    const fault = signatureFault(request, body);
    if (fault !== null) return refuse(response, 403, fault);
    const found = isCutting ? objects.get(objectOf(request)) : undefined;
    if (found === undefined) return answer(objects, { request, response, body });
    isCutting = false;
    response.writeHead(200, { "content-length": found.length });
    response.write(found.subarray(0, found.length >> 1), () => response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const login = `${key}:${encodeURIComponent(secret)}`;
  return {
    url: `s3://${login}@127.0.0.1:${port}/${bucket}/${prefix}?region=${region}&tls=off`,
    objects,
    failNext(count) {
      failing = count;
    },
    cutNext() {
      isCutting = true;
    },
    async stop() {
      server.close();
      await once(server, "close");
    },
  };
}

/** Returns the code of S3 for a signature that is not valid; null for a valid one. */
function signatureFault(request: IncomingMessage, body: Buffer): string | null {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, id, day = "", area, names = "", signature] =
    form.exec(request.headers.authorization ?? "") ?? [];
  if (id !== key) return "InvalidAccessKeyId";
  if (area !== region) return "AuthorizationHeaderMalformed";
  const time = String(request.headers["x-amz-date"]);
  const hash = String(request.headers["x-amz-content-sha256"]);
  if (!time.startsWith(day) || !names.split(";").includes("host")) return "AccessDenied";
  if (createHash("sha256").update(body).digest("hex") !== hash) return "XAmzContentSHA256Mismatch";
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const decoded = (text: string) => decodeURIComponent(text.replaceAll("+", " "));
  const canonical = query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => pair.split("=").map((part) => escape3986(decoded(part))))
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  let text = `${request.method}\n${path
    .split("/")
    .map((part) => escape3986(decodeURIComponent(part)))
    .join("/")}\n${canonical}\n`;
  for (const name of names.split(";")) text += `${name}:${String(request.headers[name]).trim()}\n`;
  text += `\n${names}\n${hash}`;
  const digest = createHash("sha256").update(text).digest("hex");
  let signing = createHmac("sha256", `AWS4${secret}`).update(day).digest();
  signing = createHmac("sha256", signing).update(region).digest();
  signing = createHmac("sha256", signing).update("s3").digest();
  signing = createHmac("sha256", signing).update("aws4_request").digest();
  const expected = createHmac("sha256", signing)
    .update(`AWS4-HMAC-SHA256\n${time}\n${day}/${region}/s3/aws4_request\n${digest}`)
    .digest("hex");
  return expected === signature ? null : "SignatureDoesNotMatch";
}

function escape3986(text: string): string {
  const bytes = [...Buffer.from(text)];
  const plain = /[A-Za-z0-9\-._~]/;
  return bytes
    .map((byte) => String.fromCharCode(byte))
    .map((char) =>
      plain.test(char)
        ? char
        : `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("");
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
}

function answer(objects: Map<string, Buffer>, { request, response, body }: Exchange): void {
  const url = new URL(request.url ?? "", "http://storage");
  const [, name] = url.pathname.split("/");
  const object = objectOf(request);
  const found = objects.get(object);
  if (name !== bucket) refuse(response, 404, "NoSuchBucket");
  else if (object === "") list(objects, url, response);
  else if (request.method === "GET" && found === undefined) refuse(response, 404, "NoSuchKey");
  else if (request.method === "GET") response.end(found);
  else {
    if (request.method === "PUT") objects.set(object, body);
    else objects.delete(object);
    response.end();
  }
}

function objectOf({ url = "" }: IncomingMessage): string {
  const { pathname } = new URL(url, "http://storage");
  return pathname.split("/").slice(2).map(decodeURIComponent).join("/");
}

function list(objects: Map<string, Buffer>, { searchParams }: URL, response: ServerResponse): void {
  const prefix = searchParams.get("prefix") ?? "";
  const from = searchParams.get("continuation-token") ?? "";
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > from).sort();
  const page = names.slice(0, keysAtOnce);
  const entries = page.map(
    (name) =>
      `<Contents><Key>${name.replaceAll("&", "&amp;")}</Key><Size>${objects.get(name)?.length}</Size></Contents>`,
  );
  const next =
    names.length > page.length
      ? `<NextContinuationToken>${page.at(-1)?.replaceAll("&", "&amp;")}</NextContinuationToken>`
      : "";
  response.end(`<ListBucketResult>${entries.join("\n")}${next}</ListBucketResult>`);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
}
