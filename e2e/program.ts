import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

// A program that connects by the gateway's address: it registers, sends its owner, and listens on loopback for the
// answer. In a browser it also stands for a site that opens the question in a popup.

const { DEMO_URL = "" } = process.env;

export interface Program {
  /** Where it sends its owner. */
  askAt: (changed?: Record<string, string>) => string;
  /** A page of its own that opens the question in a popup, and shows the code that the popup tells it. */
  popupPage: string;
  /** What came back; resolves with the first answer. */
  answer: Promise<URLSearchParams>;
  /** Exchanges the code, and reads. */
  redeem: (answer: URLSearchParams) => Promise<string>;
  call: (token: string, name: string, input?: object) => Promise<Response>;
  stop: () => Promise<void>;
}

export async function startProgram(name: string, more: string[] = []): Promise<Program> {
  let answered: (answer: URLSearchParams) => void = () => {};
  const answer = new Promise<URLSearchParams>((resolve) => {
    answered = resolve;
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    if (url.pathname === "/popup")
      return void response.end(popup(url.searchParams.get("to") ?? ""));
    if (url.pathname !== "/callback") return void response.writeHead(404).end();
    answered(url.searchParams);
    response.end(
      "<title>Connected</title><script>opener?.postMessage(location.search, '*')</script>",
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirectUri = `${origin}/callback`;
  const verifier = randomBytes(32).toString("base64url");
  const clientId = await register(name, ["http://127.0.0.1/callback", ...more]);
  const askAt = (changed: Record<string, string> = {}) => {
    const question = {
      ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state: "s1" },
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      ...{ code_challenge_method: "S256", scope: "prof:interests prof:preferences propose" },
    };
    return `${DEMO_URL}/oauth/authorize?${new URLSearchParams({ ...question, ...changed })}`;
  };
  return {
    askAt,
    popupPage: `${origin}/popup?${new URLSearchParams({ to: askAt() })}`,
    answer,
    async redeem(given) {
      const form = {
        ...{ grant_type: "authorization_code", code: given.get("code") ?? "" },
        ...{ client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier },
      };
      const url = `${DEMO_URL}/oauth/token`;
      const response = await fetch(url, { method: "POST", body: new URLSearchParams(form) });
      return (await response.json()).access_token;
    },
    call,
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function register(client_name: string, redirect_uris: string[]): Promise<string> {
  const response = await fetch(`${DEMO_URL}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name, redirect_uris }),
  });
  return (await response.json()).client_id;
}

function call(token: string, name: string, input: object = {}): Promise<Response> {
  return fetch(`${DEMO_URL}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name, arguments: input },
    }),
  });
}

function popup(to: string): string {
  return `<!doctype html><title>A site</title><button>Connect</button><output></output><script>
    document.querySelector("button").onclick = () => open(${JSON.stringify(to)}, "popup", "width=600,height=800");
    onmessage = ({ data }) => { document.querySelector("output").textContent = data; };
  </script>`;
}
