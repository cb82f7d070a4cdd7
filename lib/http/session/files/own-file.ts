import { engine } from "@/lib/engine/engine";
import { busy } from "@/lib/protocol/errors";
import type { Ctx } from "@/lib/services/context";
import { answer } from "../../reply";
import { adminContext } from "../admin";
import { admitPerson } from "../admit-person";
import { orConfirmPage } from "../confirm";
import { type OwnProfile, profileContext } from "../page";
import { refuseOtherSites } from "../same-origin";
import { fileStream } from "./file-stream";
import { createSlots } from "./slots";

export interface OwnFile {
  name: string;
  type: string;
  /** Begins the file; not called where only its headers are wanted. */
  open: () => Promise<AsyncGenerator<string>>;
}

/** Sends a file to its owner's browser, on a link of ours or a typed address. */
export async function ownFile(
  request: Request,
  fileOf: (context: { ctx: Ctx; profile: OwnProfile }) => OwnFile,
): Promise<Response> {
  // Outside of `answer`: it sends visitors to sign in.
  const { ctx, who, profile } = await profileContext();
  return answer(request, (context) =>
    orConfirmPage({ request, back: "/dashboard/activity" }, async () => {
      refuseOtherSites(request, engine().env);
      await admitPerson(context, who.userId);
      return sendFile(request, { ...fileOf({ ctx, profile }), userId: who.userId });
    }),
  );
}

/** Sends a file to an admin. */
export async function adminFile(
  request: Request,
  fileOf: (context: { ctx: Ctx }) => OwnFile,
): Promise<Response> {
  const { ctx, who } = await adminContext();
  return answer(request, (context) =>
    orConfirmPage({ request, back: "/admin/activity" }, async () => {
      refuseOtherSites(request, engine().env);
      await admitPerson(context, who.userId);
      return sendFile(request, { ...fileOf({ ctx }), userId: who.userId });
    }),
  );
}

const filesPerUser = 2;
const takeSlot = createSlots({ all: 100, perUser: filesPerUser });
const retryAfterSeconds = 30;

/** Sends a file in chunks, as fast as it is read. */
export async function sendFile(
  { method, signal }: Request,
  { userId, name, type, open }: OwnFile & { userId: string },
): Promise<Response> {
  const headers = {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${name}"`,
    "Cache-Control": "private, no-store",
  };
  // Next.js sends HEAD here too, and would neither read the file nor cancel it.
  if (method === "HEAD") return new Response(null, { headers });
  const closed = takeSlot(userId);
  if (closed === null) {
    const message = `An account has at most ${filesPerUser} exports under way. Wait until one of yours has ended, at most five minutes.`;
    throw busy(message, retryAfterSeconds);
  }
  try {
    return new Response(fileStream({ texts: await open(), signal, closed }), { headers });
  } catch (error) {
    closed();
    throw error;
  }
}
