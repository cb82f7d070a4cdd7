import {
  Client,
  type ClientOptions,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, test } from "vitest";
import { installEngine } from "@/lib/engine/engine";
import { resourceOf } from "@/lib/oauth/metadata";
import { decideConsent, listPendingConsents } from "@/lib/services/access/consents";
import {
  consent,
  nameOfQuestion,
  openConnectDoor,
  redirectUri,
} from "@/tests/support/connecting/clients";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveMemory,
  giveProposal,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";

// The official client, which knows nothing but the address: in both eras of the protocol, and by both ways of saying
// who it is.

const engine = await testEngine({ LIMIT_REGISTER: "1000" });
const issuer = await openConnectDoor(engine);
const address = new URL(resourceOf(issuer));
const documentUrl = "https://iris.example/client.json";
const document = { client_id: documentUrl, client_name: "Iris", redirect_uris: [redirectUri] };
installEngine({
  ...engine,
  fetchJson: async () => ({ text: JSON.stringify(document), maxAgeSeconds: 600 }),
});

let owner: Owner;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  await giveMemory(engine, owner.profileId, { category: "prof:interests", content: "Likes tea." });
  await giveMemory(engine, owner.profileId, { category: "prof:health", content: "Sleeps badly." });
});

type Era = NonNullable<ClientOptions["versionNegotiation"]>["mode"];
const eras: [string, Era][] = [
  ["2026-07-28", { pin: "2026-07-28" }],
  ["the revisions before it", "legacy"],
];
const ways = [
  ["registers", undefined],
  ["has a document", documentUrl],
] as const;

/** What a program keeps, and where it sends its owner. */
function keeperWith(clientMetadataUrl: string | undefined) {
  const kept: Record<string, unknown> = {};
  const keep = (name: string) => (value: unknown) => {
    kept[name] = value;
  };
  const get = (name: string) => () => kept[name] as never;
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadataUrl,
    clientMetadata: { client_name: "Iris", redirect_uris: [redirectUri] },
    clientInformation: get("client"),
    saveClientInformation: keep("client"),
    tokens: get("tokens"),
    saveTokens: keep("tokens"),
    redirectToAuthorization: keep("sentTo"),
    codeVerifier: get("verifier"),
    saveCodeVerifier: keep("verifier"),
    discoveryState: get("discovery"),
    saveDiscoveryState: keep("discovery"),
  };
  return { provider, sentTo: () => kept.sentTo as URL };
}
type Keeper = ReturnType<typeof keeperWith>;

/** Its owner answers where it sent them. */
async function answered(keeper: Keeper, scopes: string[]): Promise<URLSearchParams> {
  const begun = await fetch(keeper.sentTo(), { redirect: "manual" });
  return consent(engine, owner, { name: await nameOfQuestion(begun), scopes });
}

const info = { name: "iris", version: "1" };

async function connected(keeper: Keeper, mode: Era, options: ClientOptions = {}) {
  const open = async () => {
    const client = new Client(info, { ...options, versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(address, { authProvider: keeper.provider });
    return { client, transport, connecting: client.connect(transport) };
  };
  const first = await open();
  await expect(first.connecting).rejects.toThrow(UnauthorizedError);
  await first.transport.finishAuth(await answered(keeper, ["prof:preferences"]));
  const second = await open();
  await second.connecting;
  return second;
}

describe.each(eras)("in %s", (_era, mode) => {
  test.each(ways)(
    "a client that %s gets through, and lists the tools in order",
    async (_w, url) => {
      const { client } = await connected(keeperWith(url), mode);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        ...["whoami", "read_profile", "search_memories", "propose_memory"],
        ...["request_access", "request_status", "withdraw_proposal"],
      ]);
      const { structuredContent } = await client.callTool({ name: "whoami", arguments: {} });
      expect(structuredContent).toMatchObject({
        profile: owner.did,
        scopes: ["prof:preferences"],
        permissions: ["read", "propose"],
      });
      await client.close();
    },
  );

  test("what a call needs beyond is asked for by a new authorization, and then read", async () => {
    const keeper = keeperWith(undefined);
    const { client, transport } = await connected(keeper, mode);
    const read = () =>
      client.callTool({ name: "read_profile", arguments: { scopes: ["prof:interests"] } });
    await expect(read()).rejects.toThrow();
    expect(JSON.stringify(await read())).toContain("request_access asks the owner for it.");
    expect(keeper.sentTo().searchParams.get("scope")?.split(" ")).toContain("prof:interests");
    await transport.finishAuth(await answered(keeper, ["prof:interests"]));
    expect(JSON.stringify(await read())).toContain("Likes tea.");
    await client.close();
  });

  test("a proposal waits, is looked up, and is taken back", async () => {
    const { client } = await connected(keeperWith(undefined), mode);
    const proposal = { content: "Likes trains.", category: "prof:preferences" };
    const made = await client.callTool({ name: "propose_memory", arguments: proposal });
    const { proposalId: id } = made.structuredContent as { proposalId: string };
    const look = () => client.callTool({ name: "request_status", arguments: { id } });
    expect((await look()).structuredContent).toMatchObject({ id, state: "pending" });
    const back = await client.callTool({ name: "withdraw_proposal", arguments: { id } });
    expect(back.structuredContent).toMatchObject({ id, state: "rejected", reason: "withdrawn" });
    const again = await client.callTool({ name: "withdraw_proposal", arguments: { id } });
    expect(again.isError).toBe(true);
    await client.close();
  });
});

describe("access that is requested", () => {
  const purpose = { type: "personalization" };
  const request = { name: "request_access", arguments: { scopes: ["prof:health"], purpose } };

  test("waits, is granted to this connection alone, and is then read", async () => {
    const { client } = await connected(keeperWith(documentUrl), "auto");
    const other = await connected(keeperWith(documentUrl), "auto");
    const { structuredContent } = await client.callTool(request);
    const { id, url } = structuredContent as { id: string; url: string };
    expect(url).toContain(id);
    const look = async () =>
      (await client.callTool({ name: "request_status", arguments: { id } })).structuredContent;
    expect(await look()).toMatchObject({ state: "waiting" });
    const [waiting] = await listPendingConsents(signedIn(engine, owner), owner.did);
    const decision = { did: owner.did, requestId: id, scopes: ["prof:health"] };
    expect(waiting?.id).toBe(id);
    await decideConsent(signedIn(engine, owner), { ...decision, choice: "1d" });
    expect(await look()).toMatchObject({ state: "granted", grantedScopes: ["prof:health"] });
    const read = { name: "read_profile", arguments: {} };
    expect(JSON.stringify(await client.callTool(read))).toContain("Sleeps badly.");
    expect(JSON.stringify(await other.client.callTool(read))).not.toContain("Sleeps badly.");
    engine.setNow(new Date(testNow.getTime() + 86_400_000));
    await client.close();
  });

  test("that was refused is answered so at once, and not asked again", async () => {
    const { client } = await connected(keeperWith(documentUrl), "auto");
    const { structuredContent } = await client.callTool(request);
    const { id } = structuredContent as { id: string };
    const decision = { did: owner.did, requestId: id, scopes: [], choice: "once" as const };
    await decideConsent(signedIn(engine, owner), decision);
    const { isError, content } = await client.callTool(request);
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain('\\"state\\":\\"denied\\"');
    expect(await listPendingConsents(signedIn(engine, owner), owner.did)).toEqual([]);
  });

  test("opens its page where the client can, and is then looked up", async () => {
    const options = { capabilities: { elicitation: { url: {} } } };
    const { client } = await connected(keeperWith(documentUrl), { pin: "2026-07-28" }, options);
    const opened: string[] = [];
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      const { url } = params as { url: string };
      opened.push(url);
      const requestId = new URL(url).searchParams.get("request") ?? "";
      const decision = {
        did: owner.did,
        requestId,
        scopes: ["prof:health"],
        choice: "1d" as const,
      };
      await decideConsent(signedIn(engine, owner), decision);
      return { action: "accept" };
    });
    const { structuredContent } = await client.callTool(request);
    expect(opened).toHaveLength(1);
    expect(structuredContent).toMatchObject({ grantedScopes: ["prof:health"] });
  });
});

test("another agent's requests and proposals are nothing that a client can look up or take back", async () => {
  const { client } = await connected(keeperWith(undefined), "auto");
  const { id } = await giveProposal(engine, {
    profileId: owner.profileId,
    agentDid: "did:prof:agent:local:other",
  });
  for (const name of ["request_status", "withdraw_proposal"]) {
    const { isError, content } = await client.callTool({ name, arguments: { id } });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining("PROF003")]);
  }
});
