"use server";

import { revalidatePath } from "next/cache";
import { type Outcome, profileAction, profileQueryAction } from "@/lib/http/session/action";
import { seeToken } from "@/lib/services/tokens/see-token";
import { issueToken, revokeToken } from "@/lib/services/tokens/tokens";
import { type LensView, lensView } from "../lens/lens-view";
import { IssueForm, Reach, RevokeForm } from "./schemas";

/** What the form shows: a preview of the token's access, or the token itself, once. */
export type Issuing = { view: LensView } | { issued: Issued };

export interface Issued {
  token: string;
  mayPropose: boolean;
  mayRead: boolean;
  /** In which a proposal would be welcome. */
  category: string;
}

export const issueAction = profileAction(
  IssueForm,
  async ({ ctx, profile: { did }, input }): Promise<Outcome<Issuing>> => {
    const { intent, ...wanted } = input;
    const { scopes, permissions } = wanted;
    if (intent === "preview") {
      const view = lensView(await seeToken(ctx, { did, ...wanted }), scopes);
      return { ok: true, message: null, shown: { view }, keeps: true };
    }
    const { token } = await issueToken(ctx, { did, ...wanted });
    revalidatePath("/dashboard", "layout");
    const issued = {
      token,
      mayRead: permissions.includes("read"),
      mayPropose: permissions.includes("propose"),
      category: categoryIn(scopes),
    };
    return { ok: true, message: null, shown: { issued } };
  },
);

/** Previews what the holder of such a token would see while the form is filled in. */
export const seeTokenAction = profileQueryAction(
  Reach,
  async ({ ctx, profile: { did }, input }): Promise<LensView> =>
    lensView(await seeToken(ctx, { did, ...input }), input.scopes),
);

export const revokeAction = profileAction(
  RevokeForm,
  async ({ ctx, profile: { did }, input: { id } }) => {
    const { eventId } = await revokeToken(ctx, { did, tokenId: id });
    revalidatePath("/dashboard", "layout");
    const message = "Revoked. The token's very next request is refused.";
    return { ok: true, message, undo: { kind: "access", id: eventId } };
  },
);

// A wildcard is no category; everything below it is.
function categoryIn([first = "prof:*"]: readonly string[]): string {
  return first === "prof:*" ? "prof:interests" : first.replace(/\.\*$/, "");
}
