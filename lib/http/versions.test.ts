import { describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { mintAgent, mintOwner } from "@/tests/support/personas";
import { call, profilePath, type Reply } from "@/tests/support/wire";

// Spec, Versioning; Protocol 8.
const engine = await testEngine();
const { did } = await mintOwner(engine, { policies: [{}] });

async function ask(version: string | null, path = profilePath(did)): Promise<Reply> {
  const { client } = await mintAgent(engine);
  return call(client, { method: "GET", target: path }, { "PROF-Version": version });
}

const refused = {
  status: 400,
  body: { error: { code: "PROF006", details: { supportedVersions: ["1.0"] } } },
};

describe("PROF-Version in a request", () => {
  test.each([null, "1", "1.0"])("%s is answered as 1.0", async (version) => {
    const { status, headers } = await ask(version);
    expect(status).toBe(200);
    expect(headers.get("PROF-Version")).toBe("1.0");
  });

  test.each(["2", "1.1", "0", "01", "1.0.0", "v1", "latest", "1, 1.0", "", "1.0;q=1"])(
    "%j is 400 PROF006 with details.supportedVersions, and the answer is in 1.0",
    async (version) => {
      const reply = await ask(version);
      expect(reply).toMatchObject(refused);
      expect(reply.headers.get("PROF-Version")).toBe("1.0");
      expect(reply.headers.get("PROF-Version-Supported")).toBe("1.0");
    },
  );

  test("is checked before parameters and before the profile is looked for", async () => {
    expect(await ask("2", `${profilePath(did)}?scopes=x`)).toMatchObject(refused);
    expect(await ask("2", profilePath("did:prof:user:local:nobody"))).toMatchObject(refused);
  });

  test("is checked after the credentials, and counts against the limit", async () => {
    const { client } = await mintAgent(engine);
    const request = { method: "GET", target: profilePath(did) };
    const headers = { "PROF-Version": "2", Authorization: null };
    expect((await call(client, request, headers)).status).toBe(401);
    const { headers: answered } = await call(client, request, { "PROF-Version": "2" });
    expect(answered.get("X-RateLimit-Remaining")).toBe("99");
  });
});
