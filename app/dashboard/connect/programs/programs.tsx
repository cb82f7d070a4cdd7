import type { ReactNode } from "react";
import { TextLink } from "../../../_components/text-link";
import { Code } from "../../../docs/_parts/markdown/code";

export const programIds = [
  "claude-code",
  "claude",
  "chatgpt",
  "cursor",
  "vscode",
  "goose",
  "code",
] as const;
export type ProgramId = (typeof programIds)[number];

export interface Program {
  title: string;
  /** What it is called where it calls from its maker's servers, and so reaches public addresses only. */
  fromAfar: string | null;
  steps: (address: string) => ReactNode[];
}

const asks = (
  <>
    It opens this gateway. Sign in if it asks you to, look at what it wants, and switch on what it
    may see.
  </>
);

export const programs: Record<ProgramId, Program> = {
  "claude-code": {
    title: "Claude Code",
    fromAfar: null,
    steps: (address) => [
      <>
        Add it:
        <Code title="In a terminal" language="sh">
          {`claude mcp add --transport http profile ${address}`}
        </Code>
      </>,
      <>
        Start Claude Code, type <b>/mcp</b>, and choose to authenticate.
      </>,
      asks,
    ],
  },
  claude: {
    title: "Claude",
    fromAfar: "Claude on the web, desktop and phone",
    steps: () => [
      <>
        In Claude, open <b>Settings</b>, then <b>Connectors</b>.
      </>,
      <>
        Choose <b>Add custom connector</b>, paste the address and press <b>Add</b>, then{" "}
        <b>Connect</b>.
      </>,
      asks,
    ],
  },
  chatgpt: {
    title: "ChatGPT",
    fromAfar: "ChatGPT",
    steps: () => [
      <>
        In ChatGPT on the web, open <b>Settings</b>, then <b>Apps &amp; Connectors</b>, and under{" "}
        <b>Advanced</b> turn on <b>Developer mode</b>.
      </>,
      <>
        Press <b>Create</b>, paste the address as the server's URL, leave the authentication at{" "}
        <b>OAuth</b>, and create it.
      </>,
      asks,
    ],
  },
  cursor: {
    title: "Cursor",
    fromAfar: null,
    steps: (address) => [
      <>
        In Cursor, open <b>Settings</b>, then <b>Tools &amp; MCP</b>, and add a server. This goes
        into its file:
        <Code title="mcp.json" language="json">
          {JSON.stringify({ mcpServers: { profile: { url: address } } }, null, 2)}
        </Code>
      </>,
      <>
        Press <b>Connect</b> beside it.
      </>,
      asks,
    ],
  },
  vscode: {
    title: "VS Code",
    fromAfar: null,
    steps: () => [
      <>
        In VS Code, run <b>MCP: Add Server</b> from the command palette, and choose <b>HTTP</b>.
      </>,
      <>Paste the address, and name it as you like. Allow VS Code to sign in when it asks.</>,
      asks,
    ],
  },
  goose: {
    title: "Goose",
    fromAfar: null,
    steps: () => [
      <>
        In Goose, open <b>Extensions</b> and add a custom extension of the type{" "}
        <b>Streamable HTTP</b>.
      </>,
      <>Paste the address as its endpoint, and save it.</>,
      asks,
    ],
  },
  code: {
    title: "Your own code",
    fromAfar: null,
    steps: (address) => [
      <>
        With a library of the Model Context Protocol, give it this address: it finds by itself where
        to register and where to send you.
        <Code title="With the official library" language="ts">
          {`new StreamableHTTPClientTransport(new URL("${address}"), { authProvider })`}
        </Code>
      </>,
      asks,
      <>
        Without one, an agent signs each request with a key of its own:{" "}
        <TextLink href="/dashboard/agents/register">register its public key</TextLink>, and send
        what the <TextLink href="/docs">API reference</TextLink> describes.
      </>,
    ],
  },
};
