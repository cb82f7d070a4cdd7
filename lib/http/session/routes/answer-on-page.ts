import { cookies } from "next/headers";
import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { parseJsonText } from "../../json/json-text";
import { answer } from "../../reply";
import type { RequestContext } from "../../request-context";
import { confirmField } from "../confirm-field";
import { refuseOtherSites } from "../same-origin";

/** Tells the page that the form was on what became of it, once. */
export const importedCookie = "gateway-imported";
const tellingSeconds = 30;

/** From a form with a file, with or without scripts: the answer is always the page it came from. */
export async function answerOnPage(
  request: Request,
  page: string,
  work: (context: RequestContext) => Promise<string>,
): Promise<Response> {
  const answered = await answer(request, async (context) => {
    refuseOtherSites(request, engine().env);
    return { data: { ok: true, message: await work(context) } };
  });
  const { data, error } = await answered.json();
  const message: string = data?.message ?? wordsOf(error);
  (await cookies()).set(
    importedCookie,
    JSON.stringify({ ok: error === undefined, message: message.slice(0, 1_000) }),
    { path: page, httpOnly: true, sameSite: "lax", maxAge: tellingSeconds },
  );
  return new Response(null, {
    status: 303,
    headers: { Location: page, "Cache-Control": "no-store" },
  });
}

const NoticeCookie = z.object({ ok: z.boolean(), message: z.string().max(1_000) });

/** What became of the form, for the page that it was on; null where there was none. */
export async function importNotice() {
  const cookie = (await cookies()).get(importedCookie)?.value;
  const read = parseJsonText(cookie ?? "");
  const notice = NoticeCookie.safeParse("value" in read ? read.value : null);
  return notice.success ? notice.data : null;
}

// The browser has forgotten the file by then.
const chooseAgain = "choose the file again, and import.";

function wordsOf(error: {
  message: string;
  details?: { confirm?: boolean; issues?: { path: string; message: string }[] };
}) {
  if (error.details?.confirm) return `Enter your password or sign in again, ${chooseAgain}`;
  const [first] = error.details?.issues ?? [];
  if (first === undefined) return error.message;
  // No field's name, but a sentence of its own.
  if (first.path === confirmField) return `${first.message} Enter your password, ${chooseAgain}`;
  return first.path === "file" && /nothing was kept/i.test(first.message)
    ? first.message
    : `${first.path}: ${first.message}`;
}
