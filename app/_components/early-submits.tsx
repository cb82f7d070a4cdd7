const lookMs = 50;
const patienceMs = 10_000;

// A form that is sent while scripts start is lost: React stops the event, and the browser drops its own request
// when the router writes the address. So one that is still asleep (see scope.tsx) is kept, and sent once it is awake; or without scripts, where they do not come.
// React may make a form again: then what was filled in moves to the form with the same hidden fields, and where
// there is none the kept form itself is put back and posted. A choice in a form that acts at once is kept as well.
const keepEarlySubmits = `{
  const kept = new WeakMap();
  const asleep = (form) => form.querySelector("[data-asleep]");
  const isOurs = ({ name }) => !name.startsWith("$ACTION");
  const namesOf = (form) => Array.from(form.querySelectorAll("input[type=hidden]")).filter(isOurs)
    .map(({ name, value }) => name + "=" + value).join("&");
  const fill = (form, filled) => {
    for (const field of form.querySelectorAll("input, select, textarea")) {
      const values = filled.getAll(field.name);
      if (field.type === "checkbox" || field.type === "radio") field.checked = values.includes(field.value);
      else if (isOurs(field) && typeof values[0] === "string") field.value = values[0];
    }
  };
  const keep = (form, submitter) => {
    const until = performance.now() + ${patienceMs};
    const names = namesOf(form);
    const buttonIn = (one) => Array.from(one.elements).find(({ type, name, value }) =>
      type === "submit" && name === submitter?.name && value === submitter.value);
    const look = () => {
      if (!form.isConnected) {
        const next = Array.from(document.forms).find((one) => namesOf(one) === names && (!submitter || buttonIn(one)));
        // It was sent again since.
        if (next && kept.has(next)) return;
        if (next) {
          kept.set(next, kept.get(form));
          fill(next, kept.get(form));
          form = next;
        }
      }
      const isReady = form.isConnected && asleep(form) === null;
      if (!isReady && performance.now() < until) return setTimeout(look, ${lookMs});
      asleep(form)?.removeAttribute("data-asleep");
      if (!form.isConnected) {
        form.hidden = true;
        document.body.append(form);
      }
      form.requestSubmit(submitter?.form === form ? submitter : buttonIn(form));
    };
    setTimeout(look, ${lookMs});
  };
  addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (asleep(form) === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!kept.has(form)) keep(form, submitter);
    kept.set(form, new FormData(form));
  }, true);
  addEventListener("input", ({ target: { form } }) => {
    if (form?.matches("[data-at-once]") && asleep(form) !== null) form.requestSubmit();
  }, true);
}`;

/** First in the page's body, so that it is there before any form. */
export function EarlySubmits({ nonce }: { nonce: string | undefined }) {
  return (
    <script
      nonce={nonce}
      // The browser hides the nonce from scripts that read the page.
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, into which nothing is put
      dangerouslySetInnerHTML={{ __html: keepEarlySubmits }}
    />
  );
}
