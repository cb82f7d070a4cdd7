"use server";

import { revalidatePath } from "next/cache";
import { type Outcome, profileAction } from "@/lib/http/session/action";
import { seeToken } from "@/lib/services/tokens/see-token";
import { issueToken, revokeToken } from "@/lib/services/tokens/tokens";
import { type TokenView, tokenView } from "./issue/token-view";
import { IssueForm, RevokeForm } from "./schemas";

/** What the form shows: a preview of the token's access, or the token itself, once. */
export interface Issuing {
  view?: TokenView;
  issued?: Issued;
}

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
    const [mayRead, mayPropose] = [permissions.includes("read"), permissions.includes("propose")];
    if (intent === "preview") {
      const view = tokenView(await seeToken(ctx, { did, ...wanted }), { scopes, mayPropose });
      return { ok: true, message: null, shown: { view }, keeps: true };
    }
    const { token } = await issueToken(ctx, { did, ...wanted });
    revalidatePath("/dashboard", "layout");
    const issued = { token, mayRead, mayPropose, category: categoryIn(scopes) };
    return { ok: true, message: null, shown: { issued } };
  },
);

export const revokeAction = profileAction(
  RevokeForm,
  async ({ ctx, profile: { did }, input: { revoke } }) => {
    const { eventId } = await revokeToken(ctx, { did, tokenId: revoke });
    revalidatePath("/dashboard", "layout");
    const message = "Ended. Its very next request is refused.";
    return { ok: true, message, undo: { kind: "access", id: eventId } };
  },
);

// A wildcard is no category; everything below it is.
function categoryIn([first = "prof:*"]: readonly string[]): string {
  return first === "prof:*" ? "prof:interests" : first.replace(/\.\*$/, "");
}
