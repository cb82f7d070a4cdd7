import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// GitHub and an OpenID provider in one small server: visitors type who they are.

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const clientId = "client";

interface Granted {
  login: string;
  nonce: string | null;
}

export async function startOauthProvider(): Promise<{ url: string; stop: () => Promise<void> }> {
  const codes = new Map<string, Granted>();
  const server = createServer((request, response) => {
    answer(request, response, codes).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${port}`, stop };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  codes: Map<string, Granted>,
): Promise<void> {
  const base = `http://${request.headers.host}`;
  const { pathname, searchParams: query } = new URL(request.url ?? "/", base);
  const json = (body: object) => {
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  };
  switch (pathname) {
    case "/login/oauth/authorize":
    case "/authorize":
      response.writeHead(200, { "Content-Type": "text/html" }).end(askWho(query));
      return;
    case "/approve": {
      const code = randomUUID();
      codes.set(code, { login: query.get("login") ?? "", nonce: query.get("nonce") });
      const back = new URL(query.get("redirect_uri") ?? "");
      back.search = String(new URLSearchParams({ code, state: query.get("state") ?? "" }));
      response.writeHead(303, { Location: back.href }).end();
      return;
    }
    case "/login/oauth/access_token":
    case "/token": {
      const granted = codes.get(new URLSearchParams(await textOf(request)).get("code") ?? "");
      if (granted === undefined) throw new Error("no such code");
      return json({
        access_token: granted.login,
        token_type: "bearer",
        ...(pathname === "/token" ? { id_token: idToken(base, granted) } : {}),
      });
    }
    case "/api/v3/user":
      return json({ id: `id-${loginOf(request)}`, login: loginOf(request), name: "Octo" });
    case "/api/v3/user/emails":
      return json([{ email: emailOf(loginOf(request)), primary: true, verified: true }] as object);
    case "/.well-known/openid-configuration":
      return json({
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/jwks`,
        id_token_signing_alg_values_supported: ["RS256"],
      });
    case "/jwks":
      return json({ keys: [{ ...publicKey.export({ format: "jwk" }), alg: "RS256", use: "sig" }] });
    default:
      response.writeHead(404).end();
  }
}

// What follows an @ in a login is its address; else it gets one of its own.
function emailOf(login: string): string {
  return login.includes("@") ? login : `${login}@provider.test`;
}

function askWho(query: URLSearchParams): string {
  const kept = ["redirect_uri", "state", "nonce"]
    .flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ""]] : []))
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value ?? "")}">`)
    .join("");
  return `<!doctype html><title>Provider</title><form action="/approve">${kept}
    <label>Login <input name="login"></label><button>Authorize</button></form>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

function loginOf({ headers }: IncomingMessage): string {
  return headers.authorization?.replace(/^Bearer /, "") ?? "";
}

function idToken(issuer: string, { login, nonce }: Granted): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: clientId,
    sub: `sub-${login}`,
    iat: now,
    exp: now + 600,
    email: emailOf(login),
    email_verified: true,
    name: "Gwen",
    ...(nonce === null ? {} : { nonce }),
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "RS256" })}.${part(claims)}`;
  return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
