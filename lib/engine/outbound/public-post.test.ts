import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { atStranger, startStranger } from "@/tests/support/connecting/stranger";
import { postPublic, whyNotPosted } from "./public-post";

const received: { method?: string; body: string; connection: number }[] = [];
let connections = 0;
const connectionOf = new WeakMap<object, number>();

const answers: Record<string, RequestListener> = {
  "/message": (_request, response) => response.writeHead(202).end("Thanks"),
  "/redirect": (_request, response) =>
    response.writeHead(307, { Location: "/message" }).end("Elsewhere"),
  "/gone": (_request, response) => response.writeHead(410).end(),
  "/large": (_request, response) => response.writeHead(200).end("x".repeat(10_000_000)),
  "/endless": (_request, response) => {
    response.writeHead(200);
    const more = setInterval(() => response.write("x".repeat(10_000)), 1);
    response.on("close", () => clearInterval(more));
  },
  "/dripping": (_request, response) => {
    response.writeHead(200);
    const more = setInterval(() => response.write("x"), 30);
    response.on("close", () => clearInterval(more));
  },
  "/hanging": () => undefined,
  "/cut": (_request, response) => response.socket?.destroy(),
};

const answer: RequestListener = (request, response) => {
  if (!connectionOf.has(request.socket)) connectionOf.set(request.socket, ++connections);
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    received.push({
      method: request.method,
      body,
      connection: connectionOf.get(request.socket) ?? 0,
    });
    answers[request.url ?? ""]?.(request, response);
  });
};
const port = await startStranger(answer);

const plain = createServer(answer);
await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
const plainPort = (plain.address() as AddressInfo).port;
afterAll(() => {
  plain.closeAllConnections();
  plain.close();
});

beforeEach(() => {
  received.length = 0;
});

const message = { body: '{"a":"ü"}', headers: { "Content-Type": "application/json" } };
const strangers = { ...atStranger, msMax: 300 };
const ours = { ...strangers, isAllowed: () => true };
const at = (path: string, host = "localhost") => `https://${host}:${port}${path}`;
const post = (url: string, settings = {}) => postPublic(url, message, { ...ours, ...settings });

describe("a message", () => {
  test("arrives once, with its very bytes, and the answer comes back", async () => {
    expect(await post(at("/message"))).toEqual({ status: 202, text: "Thanks" });
    expect(received).toMatchObject([{ method: "POST", body: message.body }]);
  });

  test("follows no redirect", async () => {
    expect(await post(at("/redirect"))).toEqual({ status: 307, text: "Elsewhere" });
    expect(received).toHaveLength(1);
  });

  test.each(["/large", "/endless"])("%s is answered by the first 1,024 bytes", async (path) => {
    expect(await post(at(path), { msMax: 10_000 })).toEqual({
      status: 200,
      text: "x".repeat(1_024),
    });
  });

  test.each(["/hanging", "/dripping", "/cut"])("%s is given up at its deadline", async (path) => {
    await expect(post(at(path))).rejects.toThrow("could not be reached");
  });

  test("gets a connection of its own, and so a look-up of its own", async () => {
    await post(at("/message"));
    await post(at("/message"));
    expect(new Set(received.map(({ connection }) => connection)).size).toBe(2);
  });
});

describe("an address of this network gets no request", () => {
  test.each([
    ...["127.0.0.1", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0"],
    ...["①②⑦.0.0.1", "[::1]", "[::]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[fe80::1]"],
    ...["10.0.0.1", "169.254.169.254", "192.168.0.1", "100.64.0.1", "[fd00::1]", "[2002:7f00:1::]"],
  ])("%s", async (host) => {
    const url = at("/message", host);
    await expect(postPublic(url, message, strangers)).rejects.toThrow("public internet");
    expect(received).toEqual([]);
  });

  test.each(["localhost", "localhost."])("%s, by its name", async (host) => {
    const posting = postPublic(at("/message", host), message, strangers);
    await expect(posting).rejects.toThrow("could not be reached");
    expect(received).toEqual([]);
  });

  test("a name with a public and a private address", async () => {
    const addressesOf = async () => [
      { address: "8.8.8.8", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    const posting = postPublic(at("/message", "client.test"), message, {
      ...strangers,
      addressesOf,
    });
    await expect(posting).rejects.toThrow("could not be reached");
    expect(received).toEqual([]);
  });

  test("a name that changes its address: the address that was checked is the one that is used", async () => {
    let lookups = 0;
    const addressesOf = async () => {
      lookups++;
      return [{ address: lookups === 1 ? "203.0.113.9" : "127.0.0.1", family: 4 }];
    };
    const isAllowed = (address: string) => address === "203.0.113.9";
    const posting = postPublic(at("/message", "client.test"), message, {
      ...strangers,
      addressesOf,
      isAllowed,
    });
    await expect(posting).rejects.toThrow("could not be reached");
    expect([lookups, received.length]).toEqual([1, 0]);
  });

  test("a redirect to it", async () => {
    answers["/inward"] = (_request, response) =>
      response.writeHead(302, { Location: `http://127.0.0.1:${plainPort}/message` }).end();
    expect(await post(at("/inward"))).toMatchObject({ status: 302 });
    expect(received).toHaveLength(1);
  });

  test("http on this machine is for development", async () => {
    const url = `http://localhost:${plainPort}/message`;
    await expect(postPublic(url, message, strangers)).rejects.toThrow("https://");
    expect(received).toEqual([]);
    const inDevelopment = { ...strangers, allowsLoopback: true };
    expect(await postPublic(url, message, inDevelopment)).toMatchObject({ status: 202 });
  });
});

test.each([
  ["agent.example.com/hook", "Must be an address such as"],
  ["http://agent.example.com/hook", "Must begin with https://."],
  ["http://127.0.0.1.example.com/hook", "Must begin with https://."],
  ["ftp://agent.example.com/hook", "Must begin with https://."],
  ["https://me:secret@agent.example.com/hook", "Must have no user name"],
  ["https://agent.example.com/hook#part", "Must have no part after #."],
  ["https://agent.example.com:22/hook", "Must have port 443"],
  ["https://agent.example.com:80/hook", "Must have port 443"],
])("%s is refused: %s", (url, why) => {
  expect(whyNotPosted(url, { allowsLoopback: true })).toContain(why);
});

test.each([
  "https://agent.example.com/hook",
  "https://agent.example.com:443/",
  "https://agent.example.com:8443/hook?a=b",
])("%s is a possible address", (url) => {
  expect(whyNotPosted(url)).toBeNull();
});
