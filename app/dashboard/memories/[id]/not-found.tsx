import Link from "next/link";
import { Empty } from "../../../_components/empty";

export default function NoSuchMemory() {
  return (
    <div className="flex flex-col gap-6">
      <h1 className="text-2xl font-semibold tracking-tight">No such memory</h1>
      <Empty title="It is not in this profile">
        It may belong to another profile of yours, or it was deleted more than 30 days ago.{" "}
        <Link href="/dashboard/memories" className="text-accent underline underline-offset-4">
          All memories
        </Link>
      </Empty>
    </div>
  );
}
