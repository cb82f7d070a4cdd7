import { createInterface } from "node:readline";
import { createEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import type { Caller } from "@/lib/rules/may";
import { endOwnSession } from "@/lib/services/accounts/own-sessions";
import { suspendAgent } from "@/lib/services/admin/agents/change-agent";
import { suspendProfile } from "@/lib/services/admin/profiles/change-profile";
import { changeRole, suspendUser } from "@/lib/services/admin/users/change-user";
import { revokeKey } from "@/lib/services/agents/keys";
import { contextOf } from "@/lib/services/context";
import { deleteProfile } from "@/lib/services/erasure/delete-profile";
import { switchPolicy } from "@/lib/services/policies/policies";
import { revokeToken } from "@/lib/services/tokens/tokens";
import { answerTransfer } from "@/lib/services/transfers/answer";

/** What ends somebody's authority, by name, with the arguments of its verb. */
const endings = {
  answerTransfer,
  endOwnSession,
  deleteProfile,
  suspendAgent,
  suspendProfile,
  suspendUser,
  changeRole,
  revokeKey,
  revokeToken,
  switchPolicy,
};

export interface Ending {
  name: keyof typeof endings;
  caller: Caller;
  input: unknown;
}

// A process of its own: one line of standard input names an ending, one line of output says that it is
// acknowledged, or why not. It ends with its standard input.
const engine = createEngine(loadEnv());

for await (const line of createInterface({ input: process.stdin })) {
  const { name, caller, input }: Ending = JSON.parse(line);
  const end = endings[name] as (ctx: ReturnType<typeof contextOf>, query: unknown) => Promise<void>;
  const said = await end(contextOf(engine, caller), input).then(
    () => "acknowledged",
    (error: unknown) => String(error),
  );
  process.stdout.write(`${said}\n`);
}
await engine.stop();
