import { type Draft, draft, profilePath, type World } from "../message";
import type { Random } from "../random";

const methods = [
  "HEAD",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
  "PROPFIND",
  "M-SEARCH",
  "get",
  "Post",
  "G",
  "GETT",
  "\x00",
  "",
];

/** A request line that names no endpoint, or names one in an odd way. */
export function targetCase(random: Random, world: World): Draft {
  const path = profilePath(world);
  const target = random.pick([
    path,
    path,
    `${path}/`,
    `${path}//memories`,
    `/${path}`,
    path.replace("/v1/", "/v2/"),
    path.replace("/prof/", "/PROF/"),
    `http://${world.host}${path}`,
    `//${world.host}${path}`,
    "*",
    "/",
    "",
    "/prof",
    "/prof/",
    "/prof?x=1",
    "/profx",
    `${path}/../../../api/health`,
    `${path}/%2e%2e/x`,
    `${path}/..%2fx`,
    `${path}%00`,
    `${path}%0d%0aX-Injected:%201`,
    `${path}/%ff`,
    `${path}/%`,
    `${path}/%u0041`,
    `${path}#fragment`,
    `${path};a=b`,
    `${path}\\memories`,
    `${path}/\xe9`,
    `${path}?scopes=%ff`,
    `${path}?scopes=%`,
    `${path}?a=1#b`,
    `${path}?${"a=1&".repeat(1_500)}`,
    `/prof/v1/profile/${"a".repeat(12_000)}`,
    "/prof/v1/profile/__proto__",
    "/prof/v1/profile/constructor/memories",
    "/prof/v1/toString",
  ]);
  const method = random.chance(0.5) ? "GET" : random.pick(methods);
  return draft("target", {
    caller: random.pick(["agent", "owner", "nobody"]),
    method,
    target,
    once: true,
  });
}

/** A good request whose framing is not. */
export function framingCase(random: Random, world: World): Draft {
  const content = `Framed ${random.below(1e9)}.`;
  const body = Buffer.from(JSON.stringify({ content, category: "prof:fuzz" }));
  const target = profilePath(world, "/memories/propose");
  const fault = random.pick([...lengths(body, random.below(body.length)), ...chunks(body)]);
  return draft("framing", { method: "POST", target, body, once: true, ...fault });
}

function lengths(body: Buffer, cut: number): Partial<Draft>[] {
  const length = (count: number): [string, string] => ["Content-Length", String(count)];
  return [
    { cut: true, spoil: (bytes) => bytes.subarray(0, bytes.length - 1 - cut) },
    { cut: true, headers: [length(body.length + 1 + cut)] },
    { headers: [length(cut)] },
    { headers: [length(body.length), length(cut)] },
    { headers: [length(body.length), ["Transfer-Encoding", "chunked"]] },
    { method: "GET" },
    { spoil: (bytes) => Buffer.concat([bytes, Buffer.from("GET / HTTP/1.1\r\n\r\n")]) },
    { spoil: (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1") },
  ];
}

function chunks(body: Buffer): Partial<Draft>[] {
  const size = body.length.toString(16);
  const chunk = `${size}\r\n${body}\r\n`;
  const chunked = (text: string): Partial<Draft> => ({
    headers: [
      ["Transfer-Encoding", "chunked"],
      ["Content-Length", null],
    ],
    spoil: (bytes) =>
      Buffer.concat([bytes.subarray(0, bytes.length - body.length), Buffer.from(text, "latin1")]),
  });
  return [
    chunked(`${chunk}0\r\n\r\n`),
    { ...chunked(chunk), cut: true },
    chunked(`${chunk}0\r\nX-Trailer: 1\r\n\r\n`),
    chunked(`zz\r\n${chunk}`),
    chunked(`${chunk}zz\r\n`),
    chunked(`ffffffffffffffffff\r\n${chunk}`),
    chunked(`-1\r\n${chunk}`),
    chunked(`${chunk}0\r\n\r\nGET /prof/v1/smuggled HTTP/1.1\r\n\r\n`),
    chunked(`${size};ext=${"e".repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`),
  ];
}

/** A good request with some bytes changed, or no request at all. */
export function bytesCase(random: Random, world: World): Draft {
  const isNoise = random.chance(0.4);
  const noise = random.bytes(random.below(600));
  return draft("bytes", {
    target: profilePath(world, "/memories"),
    once: true,
    spoil: (bytes) => {
      if (isNoise) return noise;
      const copy = Buffer.from(bytes);
      for (let change = 0; change <= random.below(4); change++) {
        copy[random.below(copy.length)] = random.below(256);
      }
      return random.chance(0.2) ? copy.subarray(0, random.below(copy.length)) : copy;
    },
  });
}
