import Link from "next/link";
import { Empty } from "../../../_components/empty";

export default function AgentNotFound() {
  return (
    <>
      <h1 className="mb-6 text-2xl font-semibold tracking-tight">Agent not found</h1>
      <Empty title="No agent of that identifier has to do with you">
        It has not been here, and holds nothing of yours.{" "}
        <Link href="/dashboard/agents" className="text-accent underline underline-offset-4">
          Show the agents that have
        </Link>
        .
      </Empty>
    </>
  );
}
