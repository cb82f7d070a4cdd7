const lookMs = 50;
const patienceMs = 10_000;

// A form that is sent while scripts are just taking the page over is sent by nobody: React stops the event
// and the browser gives its own request up when the router writes the address in between. So one that is
// still asleep (see scope.tsx) is kept, and sent once it is awake; or without scripts, where they do not come.
const keepEarlySubmits = `{
  const kept = new WeakSet();
  const asleep = (form) => form.querySelector("[data-asleep]");
  addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (asleep(form) === null) return;
    const until = performance.now() + ${patienceMs};
    const look = () => {
      if (asleep(form) !== null && performance.now() < until) return setTimeout(look, ${lookMs});
      asleep(form)?.removeAttribute("data-asleep");
      if (form.isConnected) form.requestSubmit(submitter);
    };
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!kept.has(form)) setTimeout(look, ${lookMs});
    kept.add(form);
  }, true);
}`;

/** First in the page's body, so that it is there before any form. */
export function EarlySubmits({ nonce }: { nonce: string | undefined }) {
  return (
    <script
      nonce={nonce}
      // The browser hides the nonce from scripts that read the page.
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a text of ours, without anything of anybody's.
      dangerouslySetInnerHTML={{ __html: keepEarlySubmits }}
    />
  );
}
