import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { atStranger, startStranger } from "@/tests/support/connecting/stranger";
import { isPublicAddress } from "./public-address";
import { fetchPublicJson } from "./public-fetch";

const answers: Record<string, RequestListener> = {
  "/document": (_request, response) => {
    const headers = { "Content-Type": "application/json", "Cache-Control": "max-age=900" };
    response.writeHead(200, headers).end('{"a":1}');
  },
  "/403": (_request, response) => response.writeHead(403).end("{}"),
  "/page": (_request, response) =>
    response.writeHead(200, { "Content-Type": "text/html" }).end("<p>Hello"),
  "/elsewhere": (_request, response) => response.writeHead(302, { Location: "/document" }).end(),
  "/large": (_request, response) =>
    response
      .writeHead(200, { "Content-Type": "application/json" })
      .end(JSON.stringify("x".repeat(6_000))),
  "/endless": (_request, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    const more = setInterval(() => response.write("[".repeat(1_000)), 5);
    response.on("close", () => clearInterval(more));
  },
  "/hanging": () => undefined,
  "/upgrading": (_request, response) =>
    response.socket?.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    ),
  "/hinting": (_request, response) => {
    const more = setInterval(() => response.writeProcessing(), 1);
    response.on("close", () => clearInterval(more));
  },
  "/dripping": (_request, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.write("{");
  },
};
const port = await startStranger((request, response) =>
  answers[request.url ?? ""]?.(request, response),
);

const bounds = { bytesMax: 5 * 1024, msMax: 300, ...atStranger };
const ours = { ...bounds, isAllowed: () => true };
const at = (path: string, host = "localhost") => `https://${host}:${port}${path}`;

describe("of a document", () => {
  test("the text comes, and for how long it may be kept", async () => {
    const fetched = await fetchPublicJson(at("/document"), ours);
    expect(fetched).toEqual({ text: '{"a":1}', maxAgeSeconds: 900 });
  });

  test.each([
    ["/403", "answered 403"],
    ["/page", "no JSON document"],
    ["/elsewhere", "answered 302"],
    ["/large", "more than 5120 bytes"],
    ["/endless", "more than 5120 bytes"],
    ["/hanging", "could not be reached"],
    ["/dripping", "could not be reached"],
  ])("%s is refused: it %s", async (path, why) => {
    await expect(fetchPublicJson(at(path), ours)).rejects.toThrow(why);
  });

  test.each(["/upgrading", "/hinting"])(
    "%s is refused long before the time is over",
    async (path) => {
      const patient = { ...ours, msMax: 10 * 60_000 };
      await expect(fetchPublicJson(at(path), patient)).rejects.toThrow("could not be reached");
    },
  );

  test("a server that is not who it says is refused", async () => {
    await expect(fetchPublicJson(at("/document"), { ...ours, ca: undefined })).rejects.toThrow(
      "could not be reached",
    );
  });
});

test("a name server that does not answer keeps nobody waiting", async () => {
  const never = { ...ours, addressesOf: () => new Promise<never>(() => undefined) };
  await expect(fetchPublicJson(at("/document"), never)).rejects.toThrow("could not be reached");
});

test.each(["127.0.0.1", "[::1]", "2130706433", "0x7f000001", "[::ffff:7f00:1]"])(
  "%s is nowhere that a stranger may send us",
  async (host) => {
    const reading = fetchPublicJson(at("/document", host), bounds);
    await expect(reading).rejects.toThrow("not one of the public internet");
  },
);

test("a name of this network is as one that is not there", async () => {
  const reading = fetchPublicJson(at("/document", "localhost"), bounds);
  await expect(reading).rejects.toThrow("Its address could not be reached.");
});

test("of a name with several addresses all have to be public", async () => {
  const seen: string[] = [];
  const isAllowed = (address: string) => seen.push(address) > 1;
  await expect(fetchPublicJson(at("/document"), { ...ours, isAllowed })).rejects.toThrow(
    "could not be reached",
  );
});

test.each([
  ...["8.8.8.8", "1.1.1.1", "172.32.0.1", "192.167.255.255", "100.128.0.1"],
  ...["2606:4700::1111", "2a00:1450:4001::1"],
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ...["0.0.0.0", "10.0.0.1", "100.64.0.1", "127.1.2.3", "169.254.169.254", "172.16.0.1"],
  ...["192.0.0.1", "192.0.2.1", "192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"],
  ...["224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:8.8.8.8", "64:ff9b::1"],
  ...["fc00::1", "fd00::1", "fe80::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "x"],
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
