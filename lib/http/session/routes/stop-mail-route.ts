import { requestCtx } from "@/lib/auth/session";
import { MailSwitch, stopMail } from "@/lib/services/mail/stop";

interface StopContext {
  params: Promise<{ what: string; key: string }>;
}

/** The answer is the same for a key that there is not. */
export async function stopMailRoute(_request: Request, { params }: StopContext): Promise<Response> {
  const { what: named, key } = await params;
  const { data: what } = MailSwitch.safeParse(named);
  if (what !== undefined) await stopMail(requestCtx().db, { what, key });
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Response("No more of these mails are sent.\n", { headers });
}
