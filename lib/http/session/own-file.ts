import { engine } from "@/lib/engine/engine";
import type { Ctx } from "@/lib/services/context";
import { answer } from "../reply";
import { adminContext } from "./admin";
import { orConfirmPage } from "./confirm";
import { type OwnProfile, profileContext } from "./page";
import { refuseOtherSites } from "./same-origin";

export interface OwnFile {
  name: string;
  type: string;
  body: ReadableStream<Uint8Array>;
}

/** A file of the owner's for their browser to keep: asked for by a page of ours or an address typed in. */
export async function ownFile(
  request: Request,
  work: (of: { ctx: Ctx; profile: OwnProfile }) => Promise<OwnFile>,
): Promise<Response> {
  // Outside of `answer`: it sends whoever is not signed in to sign in.
  const context = await profileContext();
  return fileFor({ request, back: "/dashboard/activity" }, () => work(context));
}

/** The same for an admin. */
export async function adminFile(
  request: Request,
  work: (of: { ctx: Ctx }) => Promise<OwnFile>,
): Promise<Response> {
  const context = await adminContext();
  return fileFor({ request, back: "/admin/activity" }, () => work(context));
}

interface Asked {
  request: Request;
  /** The page with the link to the file. */
  back: string;
}

function fileFor(asked: Asked, work: () => Promise<OwnFile>): Promise<Response> {
  const { request } = asked;
  return answer(request, () =>
    orConfirmPage(asked, async () => {
      refuseOtherSites(request, engine().env);
      const { name, type, body } = await work();
      return new Response(body, {
        headers: {
          "Content-Type": type,
          "Content-Disposition": `attachment; filename="${name}"`,
          "Cache-Control": "private, no-store, no-transform",
        },
      });
    }),
  );
}
