import { redirect } from "next/navigation";
import { adminContext } from "@/lib/http/session/admin";

/** Where an admin lands: what waits for one. */
export default async function AdminPage() {
  await adminContext();
  redirect("/admin/agents");
}
