"use client";

import "./globals.css";
import { BarePage } from "./_components/states/bare-page";
import { Failure, type FailureProps } from "./_components/states/failure";
import { fontVariables } from "./_fonts/fonts";

// In place of the layout itself, when that is what failed.
export default function GlobalError(failure: FailureProps) {
  return (
    <html lang="en" className={fontVariables}>
      <body className="min-h-dvh text-base antialiased">
        <title>This page could not be shown · Profile Access Gateway</title>
        <BarePage>
          <Failure {...failure} />
        </BarePage>
      </body>
    </html>
  );
}
