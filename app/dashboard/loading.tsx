import { Skeleton } from "../_components/skeleton";

export default function OverviewLoading() {
  return (
    <div role="status" className="flex flex-col gap-8">
      <span className="sr-only">Loading</span>
      <div className="flex flex-col gap-2">
        <Skeleton className="h-8 w-48" />
        <Skeleton className="h-5 w-80 max-w-full" />
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        <Skeleton className="h-35" />
        <Skeleton className="h-35" />
        <Skeleton className="h-35" />
      </div>
      <Skeleton className="h-48" />
    </div>
  );
}
