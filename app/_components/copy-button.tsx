"use client";

import { useState } from "react";

interface CopyButtonProps {
  text: string;
  what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const [said, setSaid] = useState("Copy");
  function copy() {
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Select it by hand"),
    );
  }
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={`Copy: ${what}`}
      className="min-h-11 shrink-0 rail:min-h-8 rounded-box px-3 text-small text-muted hover:bg-lifted hover:text-ink"
    >
      <span aria-live="polite">{said}</span>
    </button>
  );
}
