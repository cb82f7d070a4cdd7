import { parseArgs } from "node:util";
import { invalidRequest } from "@/lib/protocol/errors";
import { changeRole } from "@/lib/services/admin/users/change-user";
import { endSessions } from "@/lib/services/admin/users/end-sessions";
import { type IssuedLink, inviteUser, issueResetLink } from "@/lib/services/admin/users/links";
import { findUserByEmail } from "@/lib/services/admin/users/list-users";
import type { Ctx } from "@/lib/services/context";

export const usage = `
  npm run admin -- invite <email> [--admin]   a link that makes an account, good for 7 days
  npm run admin -- promote <email>            makes somebody who has an account an admin
  npm run admin -- reset-link <email>         a link to choose a new password, good for an hour
  npm run admin -- end-sessions [email]       signs somebody out everywhere; without an address, everybody`;

const names = ["invite", "promote", "reset-link", "end-sessions"] as const;

export type Command =
  | { name: Exclude<(typeof names)[number], "end-sessions">; email: string; role: Role }
  | { name: "end-sessions"; email: string | null };

/** The role of the invited user. */
type Role = "user" | "admin";

export class UsageError extends Error {}

/** Parses a command; null if only the usage is wanted. Refuses everything it does not understand. */
export function readCommand(words: string[]): Command | null {
  const { values, positionals } = parsed(words);
  if (values.help) return null;
  const [first, typed, ...more] = positionals;
  if (first === undefined) throw new UsageError("Say what to do.");
  const name = names.find((one) => one === first);
  if (name === undefined) throw new UsageError(`There is no command ${first}.`);
  if (more.length > 0) throw new UsageError("One e-mail address at a time.");
  if (values.admin && name !== "invite") throw new UsageError("--admin goes with invite only.");
  if (name === "end-sessions" && typed === undefined) return { name, email: null };
  const email = typed?.trim().toLowerCase() ?? "";
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254) {
    throw new UsageError(
      typed === undefined
        ? `${name} needs an e-mail address.`
        : `'${typed}' is not an e-mail address.`,
    );
  }
  if (name === "end-sessions") return { name, email };
  return { name, email, role: values.admin ? "admin" : "user" };
}

function parsed(words: string[]) {
  const options = {
    admin: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  } as const;
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs a command and returns its message; `address` is where the gateway is reached. */
export async function runCommand(ctx: Ctx, command: Command, address: string): Promise<string> {
  const link = ({ token, expiresAt }: IssuedLink) =>
    `  ${address}/link/${token}\n  works once, until ${expiresAt.toISOString()}`;
  const { email } = command;
  switch (command.name) {
    case "invite":
      return link(await inviteUser(ctx, command));
    case "promote":
      await changeRole(ctx, { userId: await idOf(ctx, command.email), role: "admin" });
      return `  ${email} is an admin now.`;
    case "reset-link":
      return link(await issueResetLink(ctx, await idOf(ctx, command.email)));
    case "end-sessions": {
      const ended = await endSessions(ctx, email === null ? undefined : await idOf(ctx, email));
      const whose = email === null ? "" : ` of ${email}`;
      return `  ${ended} ${ended === 1 ? "session" : "sessions"}${whose} ended.`;
    }
  }
}

async function idOf(ctx: Ctx, email: string): Promise<string> {
  const user = await findUserByEmail(ctx, email);
  if (user !== null) return user.id;
  throw invalidRequest([{ path: "email", message: `Nobody here has the address ${email}.` }]);
}
