import type { Verification } from "@/lib/services/audit/verify-log";
import { counted } from "../../../_components/words/list";

export interface Verdict {
  intact: boolean;
  words: string;
}

/** Explains the result of verifying the whole chain to a reader who does not know the term. */
export function verdictOf({ intact, sealed, unsealed, dropped, broken }: Verification): Verdict {
  const waiting =
    unsealed === 0
      ? ""
      : ` ${counted(unsealed, "newer event")} will be sealed within a minute or so.`;
  if (intact) {
    const words =
      sealed === 0 ? "Nothing has been sealed yet." : `Intact. ${sealedWords(sealed)} as written.`;
    const gone =
      dropped === 0
        ? ""
        : ` ${counted(dropped, "older event")} ended with the time that this gateway keeps them, as the log itself says.`;
    return { intact, words: `${words}${gone}${waiting}` };
  }
  const place = (broken?.position ?? 1).toLocaleString("en");
  const what =
    broken?.eventId === null
      ? `Not intact. Event ${place} and what came after it are missing.`
      : `Not intact. Event ${place} was changed, or the one before it is missing (${broken?.eventId}).`;
  const before = sealed === 0 ? "" : ` ${sealedWords(sealed)} before it, as written.`;
  return { intact, words: `${what}${before} Tell an admin of this gateway.` };
}

function sealedWords(count: number): string {
  return count === 1 ? "1 sealed event is" : `${count.toLocaleString("en")} sealed events are`;
}
