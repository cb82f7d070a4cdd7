"use client";

import { useState } from "react";

interface CopyButtonProps {
  text: string;
  what: string;
  /** Where copying is what the page is for. */
  isMain?: boolean;
}

const looks = {
  main: "min-h-11 bg-ink px-4 font-semibold text-on-ink hover:bg-ink-hover",
  aside: "min-h-11 px-3 text-small text-muted hover:bg-lifted hover:text-ink rail:min-h-8",
};

export function CopyButton({ text, what, isMain = false }: CopyButtonProps) {
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
      className={`shrink-0 rounded-control ${isMain ? looks.main : looks.aside}`}
    >
      <span aria-live="polite">{said}</span>
    </button>
  );
}
