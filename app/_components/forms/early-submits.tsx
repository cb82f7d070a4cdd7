"use client";

import { useEffect } from "react";

const interactive = "gateway:interactive";
const patienceMs = 10_000;

// A form that is sent while scripts are just taking the page over is sent by nobody: the browser gives
// its own request up when the router first writes the address. So what is sent before is kept, and sent
// once they are there; or without them, where they do not come.
const keepEarlySubmits = `{
  let early;
  const keep = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    early ??= event;
  };
  const send = () => {
    clearTimeout(patience);
    removeEventListener("submit", keep, true);
    removeEventListener("${interactive}", send);
    if (early?.target.isConnected) early.target.requestSubmit(early.submitter);
  };
  const patience = setTimeout(send, ${patienceMs});
  addEventListener("submit", keep, true);
  addEventListener("${interactive}", send);
}`;

/** First in the page's body, so that it is there before any form. */
export function EarlySubmits({ nonce }: { nonce: string | undefined }) {
  useEffect(() => {
    window.dispatchEvent(new Event(interactive));
  }, []);
  return (
    <script
      nonce={nonce}
      // The browser hides the nonce from whoever reads the page.
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a text of ours, without anything of anybody's.
      dangerouslySetInnerHTML={{ __html: keepEarlySubmits }}
    />
  );
}
