import { Skeleton } from "../../_components/skeleton";

export default function AccessLoading() {
  return (
    <div role="status" className="flex flex-col gap-10">
      <span className="sr-only">Loading</span>
      <div className="flex flex-col gap-2">
        <Skeleton className="h-8 w-56" />
        <Skeleton className="h-5 w-96 max-w-full" />
      </div>
      <Skeleton className="h-120" />
      <Skeleton className="h-40" />
    </div>
  );
}
