"use client";

import { Button } from "./button";

interface FailureProps {
  /** Names the failure in the log. */
  reference: string | undefined;
  retry: () => void;
}

export function Failure({ reference, retry }: FailureProps) {
  return (
    <div role="alert" className="mx-auto max-w-prose py-16">
      <h1 className="text-2xl font-semibold tracking-tight">This page could not be shown</h1>
      <p className="mt-2 text-muted">
        Something failed on the way. Nothing was changed or lost. Try again; if it keeps failing,
        tell an admin of this gateway{reference === undefined ? "." : ", and quote the reference."}
      </p>
      {reference !== undefined && (
        <p className="mt-4 text-muted">
          Reference <code className="font-mono text-ink">{reference}</code>
        </p>
      )}
      <Button className="mt-6" onClick={retry}>
        Try again
      </Button>
    </div>
  );
}
