import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { type RanTool, runTool, type ToolCall } from "./run-tool";
import { type Tool, tools } from "./tools";

const instructions =
  "A person's profile, as far as they let this connection see it. Read it with read_profile and search_memories before you ask them what it may hold. propose_memory proposes something to remember; it waits until the person approves it, and nothing here approves. Where a call is refused, request_access asks the person: show them the link, and look with request_status.";

const publicly = { ttlMs: 300_000, cacheScope: "public" } as const;

let made: ReturnType<typeof createMcpHandler> | undefined;

/** Both eras of the protocol, without sessions. The library asks for a server once a request. */
export function mcpHandler(): ReturnType<typeof createMcpHandler> {
  made ??= createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.call as ToolCall), {
    maxSubscriptions: 0,
  });
  return made;
}

function serverFor(call: ToolCall): McpServer {
  const server = new McpServer(
    { name: "profile-access-gateway", version: "0.1.0" },
    {
      instructions,
      capabilities: { tools: { listChanged: false } },
      cacheHints: { "tools/list": publicly, "server/discover": publicly },
      inputRequired: { legacyShim: false },
    },
  );
  const name = Call.safeParse(call.message).data?.params.name;
  const called = described.filter(({ tool }) => tool.name === name);
  for (const one of called.length > 0 ? called : described) offer(server, one, call);
  return server;
}

const Call = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.string() }) });

interface Described {
  tool: Tool;
  inputSchema: StandardSchemaWithJSON<Record<string, unknown>>;
}

// The library would describe a tool's input again at each call.
const described = tools.map((tool): Described => {
  const standard = tool.input["~standard"];
  const json = standard.jsonSchema.input({ target: "draft-2020-12" });
  const jsonSchema = { ...standard.jsonSchema, input: () => json };
  return { tool: tool as Tool, inputSchema: { "~standard": { ...standard, jsonSchema } } };
});

// A request has one call in it. Whether it gives anything is known once it has run: so it runs for the challenge,
// and its answer waits for the tool.
function offer(server: McpServer, { tool, inputSchema }: Described, call: ToolCall): void {
  let running: Promise<RanTool> | undefined;
  const once = (input: z.output<typeof tool.input>) => {
    running ??= runTool(call, tool, input);
    return running;
  };
  server.registerTool(
    tool.name,
    {
      title: tool.title,
      description: tool.description,
      inputSchema,
      annotations: { readOnlyHint: tool.isReadOnly, destructiveHint: false, openWorldHint: false },
      scopeChallenge: async ({ request }) => {
        const input = tool.input.safeParse(request.params?.arguments ?? {});
        return input.success ? (await once(input.data)).challenge : undefined;
      },
    },
    async (input, context) => resultOf(await once(input), context),
  );
}

type Result = CallToolResult | InputRequiredResult;

function resultOf(ran: RanTool, context: ServerContext): Result {
  if ("value" in ran) {
    const text = JSON.stringify(ran.value);
    return { content: [{ type: "text", text }], structuredContent: JSON.parse(text) };
  }
  const { code, message, details } = ran.error;
  const link = ran.asks ? details?.consentUrl : undefined;
  if (typeof link === "string") {
    // What it answers is no more than a hint: the next call looks at what the owner decided.
    const isNew = context.mcpReq.inputResponses === undefined;
    if (isNew && opensUrls(context)) return asking(link);
    const text = `The owner has to decide. Show them this link: ${link} Then call request_status with ${details?.consentRequestId}.`;
    const structuredContent = { state: "waiting", id: details?.consentRequestId, url: link };
    return { content: [{ type: "text", text }], structuredContent };
  }
  const texts = [JSON.stringify({ error: { code, message, details } })];
  if (details?.state === "ask") texts.push("request_access asks the owner for it.");
  return { isError: true, content: texts.map((text) => ({ type: "text", text })) };
}

function opensUrls({ mcpReq }: ServerContext): boolean {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  const { elicitation } = Capabilities.safeParse(capabilities).data ?? {};
  return elicitation?.url !== undefined;
}

const Capabilities = z.object({
  elicitation: z.object({ url: z.object({}).optional() }).optional(),
});

function asking(url: string): InputRequiredResult {
  const message = "The owner decides on this page what you may read.";
  return inputRequired({ inputRequests: { consent: inputRequired.elicitUrl({ message, url }) } });
}
