"use client";

import { Failure } from "./_components/failure";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main className="px-4">
      <Failure reference={error.digest} retry={reset} />
    </main>
  );
}
