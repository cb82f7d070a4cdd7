const lookMs = 50;
const patienceMs = 10_000;

// A form that is sent while scripts are just taking the page over is sent by nobody: the browser gives its
// own request up when the router writes the address meanwhile. So a form that React has not taken over yet
// is kept, and sent once it has; or without it, where it does not come. React marks what it has taken with
// properties of this name.
const keepEarlySubmits = `{
  const kept = new WeakSet();
  const isTaken = (form) => Object.keys(form).some((name) => name.startsWith("__reactProps$"));
  const plain = new WeakSet();
  const sendPlainly = (form, submitter) => {
    plain.add(form);
    form.requestSubmit(submitter);
  };
  addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (isTaken(form) || plain.has(form)) return;
    const until = performance.now() + ${patienceMs};
    const look = () => {
      if (!form.isConnected) return;
      if (isTaken(form)) form.requestSubmit(submitter);
      else if (performance.now() < until) setTimeout(look, ${lookMs});
      else sendPlainly(form, submitter);
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
      // The browser hides the nonce from whoever reads the page.
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a text of ours, without anything of anybody's.
      dangerouslySetInnerHTML={{ __html: keepEarlySubmits }}
    />
  );
}
