/** A mail before it is set as text and as HTML. */
export interface Letter {
  subject: string;
  paragraphs: string[];
  /** Texts of others, each shown as a quotation. */
  quotes?: string[];
  /** Opens a page; nothing is decided by opening it. */
  link?: { words: string; path: string };
  /** Why it was sent, and how to end that. */
  foot: string;
  /** Which switch one click turns off. */
  stops?: "requests" | "agents" | "digest";
}

interface Setting {
  origin: string;
  /** Where the switch of this mail is turned off. */
  stopPath?: string;
}

/** Sets a letter as text and as HTML that say the same. */
export function setLetter(
  { subject, paragraphs, quotes = [], link, foot }: Letter,
  { origin, stopPath }: Setting,
): { subject: string; text: string; html: string } {
  const stopUrl = stopPath && `${origin}${stopPath}`;
  const url = link && `${origin}${link.path}`;
  const settings = `${origin}/dashboard/settings/mail`;
  const text = [
    ...paragraphs,
    ...quotes.map((quote) => quote.replace(/^/gm, "> ")),
    ...(link ? [`${link.words}:\n${url}`] : []),
    [
      "-- ",
      foot,
      ...(stopUrl ? [`End such mails: ${stopUrl}`, `All mails: ${settings}`] : []),
    ].join("\n"),
  ];
  const html = [
    ...paragraphs.map((one) => `<p style="margin:0 0 16px">${escapeHtml(one)}</p>`),
    ...quotes.map((one) => `<blockquote style="${quoteStyle}">${escapeHtml(one)}</blockquote>`),
    link &&
      `<p style="margin:24px 0"><a href="${escapeHtml(url ?? "")}" style="${buttonStyle}">${escapeHtml(link.words)}</a></p>`,
    `<p style="${footStyle}">${escapeHtml(foot)}${stopUrl ? ` <a href="${escapeHtml(stopUrl)}" style="color:inherit">End such mails</a>. <a href="${escapeHtml(settings)}" style="color:inherit">All mails</a>.` : ""}</p>`,
  ];
  return {
    subject,
    text: `${text.join("\n\n")}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head><body style="${bodyStyle}">${html.filter(Boolean).join("")}</body></html>`,
  };
}

const bodyStyle =
  "max-width:36em;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere";
const quoteStyle = "margin:0 0 16px;padding-left:12px;border-left:3px solid;white-space:pre-wrap";
const buttonStyle =
  "display:inline-block;padding:12px 20px;border:2px solid;border-radius:8px;font-weight:600;color:inherit;text-decoration:none";
const footStyle = "margin:32px 0 0;font-size:14px;opacity:.75";

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
