import type { Metadata } from "next";
import { Brand } from "./_components/brand";
import { ButtonLink } from "./_components/button";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-105 flex-col px-4 py-6 sm:py-10">
      <header className="mb-10 sm:mb-14">
        <Brand href="/" />
      </header>
      <main className="flex-1">
        <h1 className="text-2xl font-semibold tracking-tight">There is no page at this address</h1>
        <p className="mt-2 text-muted">
          It may have moved, or the address has a typing error. Nothing of yours is affected.
        </p>
        <ButtonLink className="mt-6" href="/" look="secondary">
          Go to the start
        </ButtonLink>
      </main>
    </div>
  );
}
