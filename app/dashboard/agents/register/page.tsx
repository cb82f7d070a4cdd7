import type { Metadata } from "next";
import { engine } from "@/lib/engine/engine";
import { profileContext } from "@/lib/http/session/page";
import { Card } from "../../../_components/card";
import { Form } from "../../../_components/forms/form";
import { Notice } from "../../../_components/notice";
import { PageHeader } from "../../../_components/shell/page-header";
import { gatewayUrl } from "../../../docs/_parts/gateway-url";
import { FirstAgent } from "../first-agent";
import { registerAction } from "./actions";
import { RegisterFields } from "./register-fields";

export const metadata: Metadata = { title: "Register an agent" };

const modeWords = {
  open: "It is active at once, and may then ask you and others for access.",
  approval: "An admin of this gateway approves it first; until then it reaches nothing.",
  closed: "Only an admin registers agents here.",
};

export default async function RegisterPage() {
  const { who, profile } = await profileContext();
  const { AGENT_REGISTRATION: mode, PROF_NAMESPACE: namespace } = engine().settings.values();
  const isAdmin = who.role === "admin";
  const isOpen = isAdmin || mode !== "closed";
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader above={{ href: "/dashboard/agents", name: "Agents" }} title="Register an agent">
        Registering gives it a name and a key here, and access to nothing: that stays for you to
        grant.
      </PageHeader>
      {isOpen ? (
        <RegisterForm namespace={namespace} note={modeWords[isAdmin ? "open" : mode]} />
      ) : (
        <Notice tone="info">
          Only an admin registers agents at this gateway. Ask an admin, and bring the agent's name
          and public key.
        </Notice>
      )}
      {isOpen && (
        <Card title="Or from the agent's side">
          <div className="text-muted">
            <FirstAgent did={profile.did} gateway={await gatewayUrl()} namespace={namespace} />
          </div>
        </Card>
      )}
    </div>
  );
}

interface RegisterFormProps {
  namespace: string;
  /** What happens next. */
  note: string;
}

function RegisterForm({ namespace, note }: RegisterFormProps) {
  return (
    <Card>
      <Form action={registerAction} submit="Register">
        <RegisterFields namespace={namespace} />
        <p className="text-muted">{note}</p>
      </Form>
    </Card>
  );
}
