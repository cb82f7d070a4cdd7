import { createHash } from "node:crypto";
import { redirectName } from "@/lib/oauth/redirects";
import type { Reply } from "../reply";
import type { RequestContext } from "../request-context";
import { oauthReply } from "./oauth-reply";

// What a person sees whose program sent them here with something that cannot be answered: it stands alone, as the
// front door has no pages.

const style = `:root{color-scheme:light dark}body{margin:0;min-height:100dvh;display:grid;place-items:center;font:1rem/1.6 system-ui,sans-serif;background:Canvas;color:CanvasText}main{max-width:34rem;margin:1.5rem;padding-left:1.5rem;border-left:6px solid}h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}p{margin:.5rem 0}`;
const styleHash = createHash("sha256").update(style).digest("base64");
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

interface Refusal {
  status: number;
  why: string;
  headers?: Record<string, string>;
  /** The program's own address, with what it should know. */
  onward?: string;
}

export function refusalPage(
  context: RequestContext,
  { status, why, headers: more, onward }: Refusal,
): Reply {
  const headers = {
    ...more,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    "X-Robots-Tag": "noindex",
  };
  const { headers: all } = oauthReply(context, { status, headers });
  const text = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not connected · Profile Access Gateway</title>
<style>${style}</style>
<main>
<h1>This program could not be connected</h1>
<p>${escaped(why)}</p>
${onward === undefined ? "" : link(onward)}<p>Nothing of yours was shown or sent. Go back to the program and connect it again. If this page comes again, tell those who make it what it says.</p>
</main>
`;
  return { status, headers: all, text };
}

function link(onward: string): string {
  const name = escaped(redirectName(onward));
  return `<p><a href="${escaped(onward)}" rel="noreferrer">Tell the program at ${name}</a>, if you trust it.</p>\n`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
