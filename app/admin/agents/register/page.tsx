import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/app/_components/shell/page-header";
import { engine } from "@/lib/engine/engine";
import { adminContext } from "@/lib/http/session/admin";
import { Card } from "../../../_components/card";
import { Form } from "../../../_components/forms/form";
import { RegisterFields } from "../../../dashboard/agents/register/register-fields";
import { registerAction } from "./actions";

export const metadata: Metadata = { title: "Register an agent" };

export default async function RegisterPage() {
  await adminContext();
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader above={{ href: "/admin/agents", name: "Agents" }} title="Register an agent">
        Your word is its approval: it is active at once, and has access to nothing until owners
        grant it. Or look at{" "}
        <Link href="/admin/agents" className="text-accent underline underline-offset-4">
          the agents that are here
        </Link>
        .
      </PageHeader>
      <Card>
        <Form action={registerAction} submit="Register">
          <RegisterFields namespace={engine().settings.values().PROF_NAMESPACE} />
        </Form>
      </Card>
    </div>
  );
}
