import { invalidRequest } from "@/lib/protocol/errors";
import { changeRole } from "@/lib/services/admin/users/change-user";
import { type IssuedLink, inviteUser, issueResetLink } from "@/lib/services/admin/users/links";
import { findUserByEmail } from "@/lib/services/admin/users/list-users";
import type { Ctx } from "@/lib/services/context";

export const usage = `
  npm run admin -- invite <email> [--admin]   a link that makes an account, good for 7 days
  npm run admin -- promote <email>            makes somebody who has an account an admin
  npm run admin -- reset-link <email>         a link to choose a new password, good for an hour`;

export interface Asked {
  words: string[];
  /** Where the gateway is reached. */
  address: string;
}

/** What it did, in words for whoever asked. */
export async function runCommand(ctx: Ctx, { words, address }: Asked): Promise<string> {
  const [command, typed, ...flags] = words;
  const email = typed?.trim().toLowerCase();
  if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email)) return usage;
  const link = ({ token, expiresAt }: IssuedLink) =>
    `  ${address}/link/${token}\n  works once, until ${expiresAt.toISOString()}`;
  switch (command) {
    case "invite": {
      const role = flags.includes("--admin") ? "admin" : "user";
      return link(await inviteUser(ctx, { email, role }));
    }
    case "promote":
      await changeRole(ctx, { userId: await idOf(ctx, email), role: "admin" });
      return `  ${email} is an admin now.`;
    case "reset-link":
      return link(await issueResetLink(ctx, await idOf(ctx, email)));
    default:
      return usage;
  }
}

async function idOf(ctx: Ctx, email: string): Promise<string> {
  const user = await findUserByEmail(ctx, email);
  if (user !== null) return user.id;
  throw invalidRequest([{ path: "email", message: `Nobody here has the address ${email}.` }]);
}
