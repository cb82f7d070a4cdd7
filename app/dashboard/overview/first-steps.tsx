import type { ReactNode } from "react";
import { engine } from "@/lib/engine/engine";
import { parseDid } from "@/lib/protocol/did";
import { Card } from "../../_components/card";
import { Code } from "../../docs/_parts/code";
import { gatewayUrl } from "../../docs/_parts/gateway-url";

/** For an account that no agent has found yet: three commands, ready to paste. */
export async function FirstSteps({ did }: { did: string }) {
  const url = await gatewayUrl();
  const own = parseDid(did);
  const handle = `${own?.name ?? "my"}-agent`.slice(-64);
  const agent = `did:prof:agent:${own?.namespace ?? "local"}:${handle}`;
  const isOpen = engine().settings.values().AGENT_REGISTRATION === "open";
  return (
    <Card title="Nothing has reached your profile yet">
      <p className="-mt-2 text-muted">
        Connect your first agent in three steps. Paste the commands in the folder of this gateway's
        source, or read them as what an agent of yours has to do.
      </p>
      <ol className="mt-6 flex flex-col gap-8">
        <Step
          number={1}
          title="Give it a key and a name"
          command={`node cli/prof.mjs keygen --out ${handle}.pem
node cli/prof.mjs register --url ${url} --did ${agent} \\
  --key ${handle}.pem --name "My first agent" --save`}
        >
          The key stays in a file of yours; every request is signed with it.{" "}
          {!isOpen && "An admin of this gateway then approves the agent."}
        </Step>
        <Step number={2} title="Let it read you" command={`node cli/prof.mjs profile ${did}`}>
          It sees what your policies below show it, and nothing else.
        </Step>
        <Step
          number={3}
          title="Let it propose something"
          command={`node cli/prof.mjs propose ${did} \\
  --category prof:preferences --content "Prefers short answers." --context "Said so."`}
        >
          The proposal appears in your inbox, and nothing is remembered before you approve it.
        </Step>
      </ol>
    </Card>
  );
}

interface StepProps {
  number: number;
  title: string;
  command: string;
  children: ReactNode;
}

function Step({ number, title, command, children }: StepProps) {
  return (
    <li className="flex gap-4">
      <span
        aria-hidden="true"
        className="flex size-7 shrink-0 items-center justify-center rounded-box bg-accent-soft font-semibold text-accent-strong tabular-nums"
      >
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="font-medium">{title}</h3>
        <p className="mt-1 mb-3 text-muted">{children}</p>
        <Code title="In a terminal">{command}</Code>
      </div>
    </li>
  );
}
