import { agentDid } from "@/lib/protocol/did";
import { Code } from "../../docs/_parts/code";

interface FirstAgentProps {
  /** Whom the agent asks for. */
  did: string;
  gateway: string;
  namespace: string;
}

/** How an agent comes to be here, with commands to paste. */
export function FirstAgent({ did, gateway, namespace }: FirstAgentProps) {
  const steps = [
    {
      title: "Make it a key",
      text: "The private half stays in a file that only you can read.",
      command: "node cli/prof.mjs keygen --out my-agent.pem",
    },
    {
      title: "Register it",
      text: "Signed by that key. An admin of this gateway may have to approve it.",
      command: [
        `node cli/prof.mjs register --url ${gateway} --save \\`,
        `  --did ${agentDid(namespace, "my-agent")} \\`,
        `  --key my-agent.pem --name "My agent"`,
      ].join("\n"),
    },
    {
      title: "Let it ask for you",
      text: "The answer names where you decide, and the request waits for you under Access requests.",
      command: [
        `node cli/prof.mjs access ${did} \\`,
        "  --scopes prof:interests --purpose personalization",
      ].join("\n"),
    },
  ];
  return (
    <ol className="mt-4 flex flex-col gap-6 text-left">
      {steps.map(({ title, text, command }, index) => (
        <li key={title} className="min-w-0">
          <h3 className="font-medium text-ink">
            <span className="tabular-nums">{index + 1}.</span> {title}
          </h3>
          <p className="mt-0.5 mb-2">{text}</p>
          <Code title="In the folder of the gateway's source">{command}</Code>
        </li>
      ))}
    </ol>
  );
}
