/** Lies over a page while the next one is on its way, but not at once: most are there sooner. */
export function PageSkeleton() {
  return (
    <div
      role="status"
      className="absolute inset-0 hidden animate-appear bg-canvas px-4 pt-4 opacity-0 group-has-data-pending/shell:block rail:px-8 rail:py-6"
    >
      <span className="sr-only">Loading</span>
      <Skeleton className="h-7.5 w-48" />
      <Skeleton className="mt-1 h-5.5 w-96 max-w-full" />
      <div className="mt-6 divide-y divide-line box">
        {["one", "two", "three", "four"].map((row) => (
          <div key={row} className="flex items-center gap-3 p-4">
            <Skeleton className="size-10" />
            <div className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-3.5 w-1/3" />
              <Skeleton className="h-3 w-3/4" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

function Skeleton({ className }: { className: string }) {
  return <div aria-hidden="true" className={`rounded-key bg-sunken ${className}`} />;
}
