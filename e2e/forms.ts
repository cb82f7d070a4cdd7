// A form of a page as a browser sends it that runs no scripts.

/** The forms that are sent to the gateway, as they stand in the page. */
export function formsIn(html: string): string[] {
  return html.match(/<form[^>]*method="POST"[\s\S]*?<\/form>/gi) ?? [];
}

/** Every field as it stands there, with these answers in place of what is to be typed. */
export function filledIn(form: string, answers: Record<string, string> = {}): FormData {
  const body = new FormData();
  for (const [input] of form.matchAll(/<(?:input|textarea|select)\b[^>]*>/g)) {
    const name = unescaped(/\bname="([^"]*)"/.exec(input)?.[1] ?? "");
    if (name === "") continue;
    const value = /\bvalue="([^"]*)"/.exec(input)?.[1] ?? "x";
    body.set(name, answers[name] ?? unescaped(value));
  }
  return body;
}

function unescaped(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
}
