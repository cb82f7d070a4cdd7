import { Skeleton } from "../skeleton";

/** Lies over a page while the next one is on its way, but not at once: most are there sooner. */
export function PageSkeleton() {
  return (
    <div
      role="status"
      className="absolute inset-0 hidden animate-appear bg-canvas px-4 py-8 opacity-0 group-has-data-pending/shell:block sm:px-8 lg:py-12"
    >
      <span className="sr-only">Loading</span>
      <div className="flex flex-col gap-8">
        <div className="flex flex-col gap-2">
          <Skeleton className="h-8 w-48" />
          <Skeleton className="h-5 w-96 max-w-full" />
        </div>
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
      </div>
    </div>
  );
}
