import { readdirSync, readFileSync } from "node:fs";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { themeCookie } from "@/app/_components/shell/theme";
import { zoneCookie } from "@/app/_components/shell/zone";
import { goodbyeCookie } from "@/app/(auth)/goodbye/cookie";
import { keysCookie } from "@/app/dashboard/proposals/review/keys/keys-cookie";
import { authOptions } from "@/lib/auth/session";
import { installEngine } from "@/lib/engine/engine";
import { returnCookie } from "@/lib/http/session/address/return-path";
import { profileCookie } from "@/lib/http/session/page";
import { importedCookie } from "@/lib/http/session/routes/answer-on-page";
import { configured, testEngine } from "@/tests/support/harness";
import { keepOwnCookies } from "./own-cookies";

const engine = await testEngine();

/** What a request with these Cookie headers keeps of them. */
function kept(...cookies: string[]): string | undefined {
  const request = new IncomingMessage(new Socket());
  request.rawHeaders = [
    "Host",
    "localhost",
    ...cookies.flatMap((one) => ["cookie", one]),
    "A",
    "b",
  ];
  request.headers = { host: "localhost", cookie: cookies.join("; "), a: "b" };
  keepOwnCookies(request);
  const { cookie } = request.headers;
  const raw = cookie === undefined ? [] : ["Cookie", cookie];
  expect(request.rawHeaders).toEqual(["Host", "localhost", "A", "b", ...raw]);
  return cookie;
}

describe("keeps every cookie that the gateway sets", () => {
  const ours = [
    themeCookie,
    keysCookie,
    profileCookie,
    importedCookie,
    returnCookie,
    goodbyeCookie,
    zoneCookie,
  ];
  test.each(ours)("%s", (name) => expect(kept(`${name}=x`)).toBe(`${name}=x`));

  test.each(["http://localhost:3000", "https://gateway.example"])("of a session at %s", (at) => {
    installEngine(configured(engine, { PUBLIC_URL: [at] }));
    const { name = "" } = authOptions(null).cookies?.sessionToken ?? {};
    installEngine(engine);
    expect(name).toMatch(/gateway-session$/);
    expect(kept(`${name}=x`)).toBe(`${name}=x`);
  });

  // It exports its table of cookies to nobody.
  const source = readFileSync("node_modules/next-auth/core/lib/cookie.js", "utf8");
  const names = [...source.matchAll(/`\$\{[^`]+\}(next-auth\.[^`]+)`/g)].map(([, name]) => name);
  test.each(names)("of next-auth: %s", (name) => {
    expect(names.length).toBe(6);
    for (const prefix of ["", "__Secure-", "__Host-"]) {
      expect(kept(`${prefix}${name}=x`)).toBe(`${prefix}${name}=x`);
    }
  });

  // A place that is not here sets a cookie which nobody reads: add its name to the list, then here.
  test("from everywhere that sets one", () => {
    const files = ["app", "lib"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
    );
    const setters = files
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.includes("/prisma-client/"))
      .filter((file) =>
        /(cookies\(\)\)|jar)\.set\(|document\.cookie = |Set-Cookie/i.test(
          readFileSync(file, "utf8"),
        ),
      );
    expect(setters.toSorted()).toEqual([
      "app/_components/shown/zone.tsx",
      "app/dashboard/settings/delete/actions.ts",
      "lib/auth/session.ts",
      "lib/http/api/owner/session.ts",
      "lib/http/session/provider-sign-in.ts",
      "lib/http/session/remember-choice.ts",
      "lib/http/session/routes/answer-on-page.ts",
    ]);
  });
});

test("drops those of others, and the header where none is left", () => {
  expect(kept("a=1; theme=dark;b=%F0%9F", "c; inbox-keys=off; themes=x; Theme=x")).toBe(
    "theme=dark; inbox-keys=off",
  );
  expect(kept(Array.from({ length: 1_500 }, (_, nth) => `c${nth}=%F0`).join("; "))).toBeUndefined();
});

describe("two cookies of the session's name", () => {
  test.each([
    [
      "stay two",
      ["gateway-session=a; x=y; gateway-session=b"],
      "gateway-session=a; gateway-session=b",
    ],
    [
      "stay two when one is too long",
      [`gateway-session=${"a".repeat(4_096)}`, "gateway-session=b"],
      "gateway-session=; gateway-session=b",
    ],
    [
      "are dropped together among more than 20",
      [`gateway-session=a; ${"theme=x; ".repeat(19)}gateway-session=b`],
      undefined,
    ],
  ])("%s", (_title, cookies, expected) => expect(kept(...cookies)).toBe(expected));
});
