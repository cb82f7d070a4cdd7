import { CopyButton } from "@/app/_components/copy-button";
import { exactTime } from "../../_components/words/time";
import type { LinkShown } from "./actions";

/** A link that works once, on the only occasion there is to copy it. */
export function LinkShownOnce({ link, what }: { link: LinkShown; what: string }) {
  return (
    <div className="rounded-box border border-accent/40 bg-accent-soft px-4 py-3">
      <p>
        It works once, until {exactTime(new Date(link.expiresAt))}. It is not shown again; the
        gateway sends no e-mail.
      </p>
      <p className="mt-2 flex items-center gap-2">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{link.url}</code>
        <CopyButton text={link.url} what={what} />
      </p>
    </div>
  );
}
