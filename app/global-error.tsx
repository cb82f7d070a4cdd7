"use client";

import "./globals.css";
import { Failure } from "./_components/failure";

interface GlobalErrorProps {
  error: Error & { digest?: string };
  reset: () => void;
}

// In place of the layout itself, when that is what failed.
export default function GlobalError({ error, reset }: GlobalErrorProps) {
  return (
    <html lang="en">
      <body className="min-h-dvh text-sm antialiased">
        <title>This page could not be shown</title>
        <main className="px-4">
          <Failure reference={error.digest} retry={reset} />
        </main>
      </body>
    </html>
  );
}
