import type { ReactNode } from "react";
import { engine } from "@/lib/engine/engine";
import type { Env } from "@/lib/engine/env";
import { gatewayUrl } from "@/lib/http/session/gateway-url";
import { resourceOf } from "@/lib/oauth/metadata";
import { agentDid, parseDid } from "@/lib/protocol/did";
import { ButtonLink } from "../../_components/button";
import { LongField } from "../../_components/forms/fields/long-field";
import { Form } from "../../_components/forms/form";
import { TextLink } from "../../_components/text-link";
import { counted } from "../../_components/words/list";
import { Code } from "../../docs/_parts/markdown/code";
import { Address } from "../connect/address";
import { addAction } from "../memories/actions";

type Mode = Env["AGENT_REGISTRATION"];

interface FirstStepsProps {
  /** The profile that the agent comes to. */
  did: string;
  memories: number;
  isAdmin: boolean;
}

/** The address for any program; below it, from a key to a first proposal, three commands for an agent of one's own. */
export async function FirstSteps(props: FirstStepsProps) {
  const url = await gatewayUrl();
  const own = <OwnAgent {...props} url={url} />;
  const first = props.memories === 0 && <FirstMemory />;
  // Then no program gets in that an admin has not registered.
  if (engine().settings.values().AGENT_REGISTRATION === "closed") {
    return (
      <>
        {first}
        {own}
      </>
    );
  }
  return (
    <>
      <p className="text-muted">
        Paste one address into Claude, ChatGPT, Cursor or another program. It then asks you here,
        and reads nothing before you say so.
      </p>
      <Address address={resourceOf(url)} />
      <ButtonLink href="/dashboard/connect">The steps for each program</ButtonLink>
      {first}
      <details className="mt-6 border-t border-line pt-3">
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-medium">
          Or an agent of your own, with a key, by three commands
        </summary>
        {own}
      </details>
    </>
  );
}

function OwnAgent({ did, memories, isAdmin, url }: FirstStepsProps & { url: string }) {
  const mode = engine().settings.values().AGENT_REGISTRATION;
  const { name, namespace } = parseDid(did) ?? { name: "my", namespace: "local" };
  const handle = `${name}-agent`.slice(-64);
  return (
    <>
      <Where url={url} mode={mode} />
      <ol className="mt-5 flex flex-col gap-7 text-left">
        <Step
          number={1}
          title="Give it a key and a name"
          command={
            mode !== "closed" &&
            `node cli/prof.mjs keygen --out ${handle}.pem
node cli/prof.mjs register --url ${url} --did ${agentDid(namespace, handle)} \\
  --key ${handle}.pem --name "My first agent" --save`
          }
        >
          The key stays in a file of yours; every request is signed with it.{" "}
          <Approval mode={mode} isAdmin={isAdmin} />
        </Step>
        <Step
          number={2}
          title="Let it read something"
          command={`node cli/prof.mjs access ${did} \\
  --scopes prof:preferences --purpose personalization
node cli/prof.mjs profile ${did} --scopes prof:preferences`}
        >
          <Reading memories={memories} isAdmin={isAdmin} />
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
    </>
  );
}

function Where({ url, mode }: { url: string; mode: Mode }) {
  return (
    <p className="text-muted">
      The commands run in a copy of this gateway's source, on any computer: they reach it at {url}.{" "}
      {mode !== "closed" && (
        <>
          Without a copy,{" "}
          <TextLink href="/dashboard/agents/register">register a public key</TextLink> and let the
          agent send what the <TextLink href="/docs">API reference</TextLink> describes.
        </>
      )}
    </p>
  );
}

function Reading({ memories, isAdmin }: Pick<FirstStepsProps, "memories" | "isAdmin">) {
  return (
    <>
      {memories === 0
        ? "Your profile has no memories yet: add one above. "
        : `You have ${counted(memories, "memory", "memories")}. `}
      A new agent is not verified, so rules for verified agents open nothing to it;{" "}
      <Verifier isAdmin={isAdmin} />. It can ask in any case: answer the first command under{" "}
      <TextLink href="/dashboard/access">Access requests</TextLink>, and the second one reads.
    </>
  );
}

/** Something for a first agent to read. */
function FirstMemory() {
  return (
    <Form
      action={addAction}
      submit="Add this preference"
      className="my-6 flex max-w-prose flex-col gap-3"
    >
      <input type="hidden" name="category" value="prof:preferences" />
      <input type="hidden" name="confidence" value="1" />
      <LongField
        name="content"
        label="A preference of yours"
        rows={2}
        required
        placeholder="Prefers short answers."
      />
    </Form>
  );
}

const adminAgents = <TextLink href="/admin/agents">Admin, Agents</TextLink>;

function Verifier({ isAdmin }: { isAdmin: boolean }) {
  if (!isAdmin) return "an admin of this gateway verifies agents";
  return <>you verify it under {adminAgents}</>;
}

function Approval({ mode, isAdmin }: { mode: Mode; isAdmin: boolean }) {
  if (mode === "open") return "It is active at once.";
  if (mode === "approval") {
    const who = isAdmin ? (
      <>Approve it under {adminAgents}</>
    ) : (
      "An admin of this gateway approves it"
    );
    return <>{who}: until then it is answered as if nobody knew it.</>;
  }
  if (!isAdmin)
    return "Only an admin of this gateway registers agents: give them its name and public key.";
  return (
    <>
      Only admins register agents here:{" "}
      <TextLink href="/admin/agents/register">register it</TextLink>.
    </>
  );
}

interface StepProps {
  number: number;
  title: string;
  /** False where there is nothing to run. */
  command: string | false;
  children: ReactNode;
}

function Step({ number, title, command, children }: StepProps) {
  return (
    <li className="flex gap-4">
      <span
        aria-hidden="true"
        className="flex size-7 shrink-0 items-center justify-center rounded-control bg-sunken font-semibold text-ink tabular-nums"
      >
        {number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <h3 className="font-semibold text-ink">{title}</h3>
        <p className="text-muted">{children}</p>
        {command !== false && <Code title="In a terminal">{command}</Code>}
      </div>
    </li>
  );
}
