"use client";

import { Button } from "../button";

/** As Next.js hands it to the page that stands in for one that failed. */
export interface FailureProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export function Failure({ error: { digest }, reset }: FailureProps) {
  return (
    <div role="alert" className="max-w-prose">
      <h1 className="text-title font-semibold tracking-tight">This page could not be shown</h1>
      <p className="mt-2 text-muted">
        Something failed on the way. Try again; if it keeps failing, tell an admin of this gateway
        {digest === undefined ? "." : ", and quote the reference."}
      </p>
      {digest !== undefined && (
        <p className="mt-4 text-muted">
          Reference <code className="font-mono text-ink">{digest}</code>
        </p>
      )}
      <p className="mt-6 flex flex-wrap items-center gap-4">
        <Button onClick={reset}>Try again</Button>
        {/* Loads the whole page: the router may be what failed. */}
        <a href="/" className="link font-medium">
          Go to the start
        </a>
      </p>
    </div>
  );
}
