import { beforeAll, describe, expect, test } from "vitest";
import { resourceOf } from "@/lib/oauth/metadata";
import {
  connectClient,
  consent,
  nameOfQuestion,
  openConnectDoor,
  registerAt,
} from "@/tests/support/connecting/clients";
import { bringRunner, runConformance } from "@/tests/support/connecting/runner";
import { testEngine } from "@/tests/support/harness";
import { mintOwner } from "@/tests/support/personas";

// `npm run conformance:mcp`. The runner shows no token of its own, so this door adds one to what has none.

const engine = await testEngine({
  ...{ LIMIT_REGISTER: "1000", PEER_LIMIT: "100000" },
  ...{ LIMIT_PROFILE: "100000", LIMIT_MEMORIES: "100000" },
});
let token: string | undefined;
const address = await openConnectDoor(engine, ({ headers, url }) => {
  if (url?.startsWith("/mcp") && token !== undefined) headers.authorization ??= `Bearer ${token}`;
});
const issuer = address.replace("127.0.0.1", "localhost");
const owner = await mintOwner(engine);

beforeAll(bringRunner, 300_000);

describe("the server", () => {
  beforeAll(async () => {
    token = (await connectClient({ engine, issuer, owner })).access_token;
  });

  test.each([
    "server-initialize",
    "ping",
    "tools-list",
    "tools-list --spec-version 2025-11-25",
    "dns-rebinding-protection",
    "http-header-validation",
    "sep-2164-resource-not-found",
    "server-sse-multiple-streams",
    "input-required-result-validate-input",
    "input-required-result-ignore-extra-params",
    "input-required-result-missing-input-response",
    "input-required-result-unsupported-methods",
  ])("holds %s", async (scenario) => {
    const args = ["server", "--url", resourceOf(issuer), "--scenario", ...scenario.split(" ")];
    const { code, output } = await runConformance(args);
    process.stdout.write(`${endOf(output)}\n`);
    expect(code, output).toBe(0);
  });
});

function endOf(output: string): string {
  return output.trim().split("\n").slice(-12).join("\n");
}

test("the authorization server holds its metadata and the grant of a code", async () => {
  token = undefined;
  const callback = "http://127.0.0.1:43999/callback";
  const clientId = await registerAt(issuer, { redirect_uris: [callback] });
  const given = ["--url", issuer, "--client-id", clientId, "--resource", resourceOf(issuer)];
  const seen = new Set<string>();
  // What a browser does with the address that the runner prints.
  const visit = async (url: string) => {
    const begun = await fetch(url, { redirect: "manual" });
    const name = await nameOfQuestion(begun);
    const answer = await consent(engine, owner, { name, scopes: ["prof:preferences"] });
    await fetch(`${callback}?${answer}`);
  };
  let printed = "";
  let visiting: Promise<void> | undefined;
  const ran = await runConformance(["authorization", ...given, "--port", "43999"], (text) => {
    printed += text;
    const [url] = /https?:\/\/\S+\/oauth\/authorize\?\S+/.exec(printed) ?? [];
    if (url === undefined || seen.has(url) || !printed.slice(printed.indexOf(url)).includes("\n"))
      return;
    seen.add(url);
    visiting = visit(url);
  });
  await visiting;
  process.stdout.write(`${endOf(ran.output)}\n`);
  expect(ran.code, ran.output).toBe(0);
});
