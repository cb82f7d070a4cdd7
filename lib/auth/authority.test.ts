import { describe, expect, test } from "vitest";
import { installEngine } from "@/lib/engine/engine";
import { createClient } from "@/lib/protocol/client";
import { inProcess, testEngine } from "@/tests/support/harness";
import { mintAgent, mintOwner } from "@/tests/support/personas";

// Protocol 2: a request signed for one gateway cannot be relayed to another.
const engine = await testEngine({
  PUBLIC_URL: "https://gateway.example, https://second.example:8443",
});

/** Signed for one address, delivered with another in Host. */
async function deliver(signedFor: string, host: string): Promise<number> {
  const { did } = await mintOwner(engine, { policies: [{}] });
  const agent = await mintAgent(engine);
  const client = createClient({ ...agent, baseUrl: signedFor, now: engine.now });
  const signed = await client.signedRequest({ method: "GET", target: `/prof/v1/profile/${did}` });
  const { pathname } = new URL(signed.url);
  return (await inProcess(`http://${host}${pathname}`, { headers: signed.headers })).status;
}

describe("with PUBLIC_URL", () => {
  test.each([
    ["https://gateway.example", "gateway.example"],
    ["https://GATEWAY.example:443", "gateway.example"],
    ["https://second.example:8443", "second.example:8443"],
    ["https://second.example:8443", "SECOND.EXAMPLE:8443"],
  ])("a request signed for %s and sent there is taken", async (signedFor, host) => {
    expect(await deliver(signedFor, host)).toBe(200);
  });

  test("the first address of PUBLIC_URL is signed, whatever Host a proxy sends", async () => {
    expect(await deliver("https://gateway.example", "10.0.0.7:3000")).toBe(200);
  });

  test.each([
    ["https://evil.example", "evil.example"],
    ["https://evil.example", "gateway.example"],
    ["https://second.example", "second.example"],
    ["https://gateway.example:8443", "gateway.example:8443"],
    ["https://second.example:8443", "gateway.example"],
  ])("a request signed for %s and sent to %s is refused", async (signedFor, host) => {
    expect(await deliver(signedFor, host)).toBe(401);
  });
});

describe("without PUBLIC_URL", () => {
  async function deliverOpen(signedFor: string, host: string): Promise<number> {
    installEngine({ ...engine, env: { ...engine.env, PUBLIC_URL: [] } });
    const status = await deliver(signedFor, host);
    installEngine(engine);
    return status;
  }

  test("the Host that the request came with counts", async () => {
    expect(await deliverOpen("http://localhost:3000", "localhost:3000")).toBe(200);
    expect(await deliverOpen("http://localhost:3000", "localhost:3001")).toBe(401);
  });
});
