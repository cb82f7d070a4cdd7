import { type Draft, draft, profilePath, type World } from "../message";
import type { Random } from "../random";

type Header = [name: string, value: string];

/** A good request with a header that is odd. */
export function headerCase(random: Random, world: World): Draft {
  const isPost = random.chance(0.5);
  const header = random.pick(isPost ? [...posts, ...all] : all);
  const count = random.chance(0.9) ? 1 : 2;
  return draft("header", {
    caller: random.pick(["agent", "agent", "token", "owner", "nobody"]),
    method: isPost ? "POST" : "GET",
    target: profilePath(world, isPost ? "/memories/propose" : "/memories?limit=1"),
    body: isPost
      ? Buffer.from(`{"content":"Header ${random.below(1e9)}.","category":"prof:fuzz"}`)
      : null,
    headers: Array<Header>(count).fill(header),
    once:
      /^(Host|Connection|Upgrade|Expect|Transfer|Content-Length|TE)$/.test(header[0]) || count > 1,
  });
}

const posts: readonly Header[] = [
  ["Content-Type", "text/plain"],
  ["Content-Type", ""],
  ["Content-Type", "application/json; charset=utf-16"],
  ["Content-Type", "application/json; charset=utf-8; boundary=x"],
  ["Content-Type", `application/${"a".repeat(3_000)}+json`],
  ["Content-Type", "multipart/form-data"],
  ["Content-Encoding", "gzip"],
  ["Content-Length", "0"],
  ["Content-Length", "-1"],
  ["Content-Length", "1e2"],
  ["Content-Length", "99999999999999999999"],
  ["Content-Length", "10"],
  ["Transfer-Encoding", "gzip"],
  ["Transfer-Encoding", "chunked, identity"],
  ["Transfer-Encoding", "xchunked"],
  ["Expect", "100-continue"],
  ["Expect", "200-ok"],
];

const all: readonly Header[] = [
  ["PROF-Version", "2.0"],
  ["PROF-Version", ""],
  ["PROF-Version", "1.0, 1.0"],
  ["PROF-Version", "\xff\xfe"],
  ["PROF-Version", "1".repeat(2_000)],
  ["Host", ""],
  ["Host", "other.example"],
  ["Host", "a@b"],
  ["Host", "[::1"],
  ["Host", "exa mple"],
  ["Host", "a/b?c#d"],
  ["Host", "localhost:99999"],
  ["Connection", "close, keep-alive"],
  ["Connection", "Upgrade"],
  ["Upgrade", "websocket"],
  ["Upgrade", "h2c"],
  ["TE", "trailers"],
  ["Accept", "text/html"],
  ["Accept-Encoding", "gzip, br, zstd"],
  ["X-Forwarded-For", "203.0.113.9, canary, ::1"],
  ["X-Forwarded-Host", "other.example"],
  ["X-Gateway-Peer", "x 203.0.113.9"],
  ["X-HTTP-Method-Override", "DELETE"],
  ["X-Middleware-Subrequest", "proxy:proxy:proxy"],
  ["RSC", "1"],
  ["Next-Action", "x"],
  ["Cookie", `session=${"c".repeat(4_000)}`],
  ["X-Latin", "\xe9\xff\x80"],
  ["X-Long", "l".repeat(15_000)],
  ["X-Longer", "l".repeat(17_000)],
  ["__proto__", "x"],
  ["constructor", "x"],
  ["If-None-Match", "*"],
  ["Range", "bytes=0-1"],
  ["Content-Length", "0"],
];
