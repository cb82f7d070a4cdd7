import type { Metadata } from "next";
import { RegisterForm } from "@/app/dashboard/agents/register/register-form";
import { adminContext } from "@/lib/http/session/admin";
import { PageHeader } from "../../../_components/shell/page-header";
import { registerAction } from "../actions";

export const metadata: Metadata = { title: "Register an agent" };

export default async function RegisterPage() {
  await adminContext();
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader above={{ href: "/admin/agents", name: "Agents" }} title="Register an agent">
        Agents you register are active immediately. They cannot read anything until an owner grants
        access.
      </PageHeader>
      <RegisterForm action={registerAction} />
    </div>
  );
}
