import { currentUser, userOfCookies } from "@/lib/auth/session";
import { invalidRequest } from "@/lib/protocol/errors";
import { type Imported, importMemories } from "@/lib/services/imports/batches/import-memories";
import type { ImportHead } from "@/lib/services/imports/batches/prepare";
import { clockOf } from "../../../request-context";
import { admitPerson } from "../../admit-person";
import { profileOf } from "../../page";
import { answerOnPage } from "../answer-on-page";
import { signedIn } from "../archive-routes";
import { withImport } from "../import-form";
import { type ReadBody, readApart } from "../reader-process";
import type { MemoriesHead } from "./memories-reader";

const page = "/dashboard/memories/import";

/** Puts memories of other products into the inbox, from a file or pasted. */
export function importMemoriesRoute(request: Request): Promise<Response> {
  return answerOnPage(request, page, async (context) => {
    const { userId } = signedIn(await currentUser()).who;
    await admitPerson(context, userId);
    return withImport({ request, userId, kind: { read } }, async ({ profile, ...read }) => {
      // The file may have taken its time; what is decided is decided now.
      Object.assign(context, clockOf(context.engine, context.peer));
      const { ctx, who } = signedIn(await userOfCookies(request.headers.get("cookie")));
      const { did } = await profileOf(who, profile);
      return wordsOf(await importMemories(ctx, { did, ...read }));
    });
  });
}

interface MemoriesForm {
  profile: string | null;
  head: ImportHead;
  slices: string[];
}

async function read(body: ReadBody): Promise<MemoriesForm> {
  const script = "lib/http/session/routes/memories/memories-reader.ts";
  const [first, ...slices] = await readApart(script, body);
  const head: MemoriesHead = JSON.parse(`${first}`);
  if ("refusal" in head) throw invalidRequest([{ path: "file", message: head.refusal }]);
  return { ...head, slices: slices.map(String) };
}

function wordsOf({ waiting, known }: Imported): string {
  const those = known === 1 ? "1 is known" : `${known.toLocaleString("en")} are known`;
  const there =
    known === 0 ? "" : ` ${those}: kept, waiting or rejected before, or twice in this import.`;
  const these = waiting === 1 ? "1 waits" : `${waiting.toLocaleString("en")} wait`;
  return waiting === 0
    ? `Nothing new was found.${there}`
    : `${these} in your inbox now: nothing is kept before you approve it.${there}`;
}
