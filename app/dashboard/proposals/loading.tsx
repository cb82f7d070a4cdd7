import { Skeleton } from "../../_components/skeleton";

export default function InboxLoading() {
  return (
    <div role="status" className="flex flex-col gap-6">
      <span className="sr-only">Loading</span>
      <div className="flex flex-col gap-2">
        <Skeleton className="h-8 w-24" />
        <Skeleton className="h-5 w-96 max-w-full" />
      </div>
      <Skeleton className="h-10" />
      <Skeleton className="h-64" />
      <Skeleton className="h-64" />
    </div>
  );
}
