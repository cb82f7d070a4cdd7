import { Form, SubmitButton } from "@/app/_components/forms/form";
import type { Ctx } from "@/lib/services/context";
import { readMailbox } from "@/lib/services/mail/mailbox";
import { muteAction } from "../../settings/mail/actions";

/** Ends the mails about one agent, for an owner who gets mails. */
export async function MuteMails({ ctx, agentDid }: { ctx: Ctx; agentDid: string }) {
  const mailbox = await readMailbox(ctx);
  if (mailbox === null) return null;
  const isMuted = mailbox.mutedAgents.includes(agentDid);
  return (
    <section aria-labelledby="mails">
      <h2 id="mails" className="mb-1.5 text-lead font-semibold">
        Mails
      </h2>
      <p className="mb-3 text-muted">
        {isMuted
          ? "No mail tells you what the agent does."
          : "Mails about the agent come as your mail settings say."}
      </p>
      <Form action={muteAction} className="">
        <input type="hidden" name="agentDid" value={agentDid} />
        <input type="hidden" name="muted" value={isMuted ? "no" : "yes"} />
        <SubmitButton look="secondary">{isMuted ? "Unmute" : "Mute"} mails</SubmitButton>
      </Form>
    </section>
  );
}
