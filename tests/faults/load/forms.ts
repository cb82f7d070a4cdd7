import type { Client, Meant } from "../client";
import type { Result } from "../ledger";
import type { Heard } from "../wire";
import { baseUrl, type Owner } from "../world";

// What an owner does in the dashboard that has no address of its own: the form of a page, posted as a
// browser posts it before any script runs.

export interface Posting {
  page: string;
  /** Which form of the page: it has this in it. */
  has: string;
  /** What the page says afterwards when it was done. */
  says: string;
  meant: Meant;
}

/** Null where the page has no such form, or could not be had. */
export async function postForm(
  client: Client,
  owner: Owner,
  { page, has, says, meant }: Posting,
): Promise<Result | null> {
  const headers = { Cookie: owner.cookie };
  const { caller, profile } = meant;
  const looking = { verb: "openPage", caller, profile } as const;
  const shown = await client.ask(looking, { method: "GET", target: page, headers });
  const form = [...shown.body.matchAll(/<form\b.*?<\/form>/gs)].find(([text]) =>
    text.includes(has),
  );
  if (shown.outcome.result !== "acknowledged" || form === undefined) return null;
  const { type, body } = await encoded(fieldsIn(form[0]));
  const posting = { ...headers, Origin: baseUrl, "Content-Type": type };
  const judge = ({ status, body: answer }: Heard): Result => {
    if (status >= 500) return "unknown";
    return answer.includes(says) ? "acknowledged" : "refused";
  };
  const outgoing = { method: "POST", target: page, headers: posting, body };
  return (await client.ask(meant, outgoing, judge)).outcome.result;
}

function fieldsIn(form: string): FormData {
  const fields = new FormData();
  for (const [input] of form.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(input, "name");
    // A box that nobody ticked is not sent.
    if (name !== undefined && !input.includes('type="checkbox"'))
      fields.append(name, attribute(input, "value") ?? "");
  }
  return fields;
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replace(/&(\w+|#x?\w+);/g, entity);
}

const entities: Record<string, string> = { quot: '"', amp: "&", lt: "<", gt: ">" };

function entity(whole: string, name: string): string {
  const code = /^#(x?)(\w+)$/.exec(name);
  if (code === null) return entities[name] ?? whole;
  return String.fromCodePoint(Number.parseInt(code[2] ?? "", code[1] === "x" ? 16 : 10));
}

async function encoded(fields: FormData): Promise<{ type: string; body: Uint8Array }> {
  const packed = new Response(fields);
  const type = packed.headers.get("content-type") ?? "";
  return { type, body: new Uint8Array(await packed.arrayBuffer()) };
}
