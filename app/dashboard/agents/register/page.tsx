import type { Metadata } from "next";
import { engine } from "@/lib/engine/engine";
import { profileContext } from "@/lib/http/session/page";
import { PageHeader } from "../../../_components/shell/page-header";
import { Notice } from "../../../_components/states/notice";
import { TextLink } from "../../../_components/text-link";
import { registerAction } from "./actions";
import { RegisterForm } from "./register-form";

export const metadata: Metadata = { title: "Register an agent" };

const nextWords = {
  open: "It is active at once, and may then ask you and others for access.",
  approval: "An admin of this gateway approves it first; until then it reaches nothing.",
};

export default async function RegisterPage() {
  const { who } = await profileContext();
  const { AGENT_REGISTRATION } = engine().settings.values();
  const mode = who.role === "admin" ? "open" : AGENT_REGISTRATION;
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader above={{ href: "/dashboard/agents", name: "Agents" }} title="Register an agent">
        Registering gives it a name and a key here, and access to nothing: that stays for you to
        grant.
      </PageHeader>
      {mode === "closed" ? (
        <Notice tone="info">
          Only an admin registers agents at this gateway. Ask an admin, and bring the agent's name
          and public key.
        </Notice>
      ) : (
        <>
          <RegisterForm action={registerAction}>
            <p className="text-muted">{nextWords[mode]}</p>
          </RegisterForm>
          <p className="text-muted">
            An agent can register itself too: the <TextLink href="/docs">API reference</TextLink>{" "}
            says how.
          </p>
        </>
      )}
    </div>
  );
}
