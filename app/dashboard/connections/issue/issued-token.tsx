"use client";

import { useEffect, useRef } from "react";
import { CopyButton } from "@/app/_components/copy-button";
import { Code } from "@/app/docs/_parts/markdown/code";
import { ButtonLink } from "../../../_components/button";
import { useGone } from "../../../_components/forms/use-gone";
import type { Issued } from "../actions";

interface IssuedTokenProps extends Issued {
  gateway: string;
}

/** This once: no other answer of the gateway's has the token in it. */
export function IssuedToken({ gateway, ...issued }: IssuedTokenProps) {
  const top = useRef<HTMLElement>(null);
  const isGone = useGone();
  useEffect(() => top.current?.focus(), []);
  return (
    <section
      ref={top}
      tabIndex={-1}
      aria-labelledby="issued"
      className="flex flex-col gap-5 box p-4 sm:p-6"
    >
      <div>
        <h2 id="issued" className="text-lead font-semibold">
          Your new token
        </h2>
        <p className="mt-1 text-muted">
          It is shown this once. Put it where the agent runs, and nowhere else: everybody who has it
          can use it.
        </p>
      </div>
      {isGone ? (
        <p>It is not here any more. Revoke it and issue another one.</p>
      ) : (
        <Once issued={issued} gateway={gateway} />
      )}
      <p>
        <ButtonLink href="/dashboard/connections" look="secondary">
          I have put it away
        </ButtonLink>
      </p>
    </section>
  );
}

function Once({ issued, gateway }: { issued: Issued; gateway: string }) {
  const { token, mayRead, mayPropose, category } = issued;
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-box border border-line bg-sunken px-3 py-2">
        <output aria-label="Token" className="min-w-0 font-mono text-small break-all select-all">
          {token}
        </output>
        <CopyButton text={token} what="Token" />
      </div>
      {mayRead && (
        <Code title="Try it: read what it may see">
          {`curl -sS ${gateway}/prof/v1/profile \\
  -H 'Authorization: Bearer ${token}'`}
        </Code>
      )}
      {mayPropose && (
        <Code title="Try it: propose a memory">
          {`curl -sS ${gateway}/prof/v1/profile/memories/propose \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  --data-binary '{"category":"${category}","content":"Plays chess on Sundays."}'`}
        </Code>
      )}
    </>
  );
}
