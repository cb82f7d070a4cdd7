import { z } from "zod";
import { settingNames } from "@/lib/engine/env";
import { Did, parseDid } from "@/lib/protocol/did";
import { ProposalParams } from "@/lib/protocol/requests";

/** Everything that a path of the API can name, by the name that it has in braces there. */
const pathParams = {
  ...ProposalParams.shape,
  memoryId: id("mem"),
  revisionId: id("rev"),
  policyId: id("pol"),
  requestId: id("creq"),
  receiptId: id("rcpt"),
  tokenId: id("tok"),
  keyId: id("key"),
  changeId: id("evt"),
  userId: id("usr"),
  agentDid: Did.refine((did) => parseDid(did)?.kind === "agent", "Must be an agent's DID.").meta({
    description: "DID of an agent.",
    examples: ["did:prof:agent:local:iris"],
  }),
  name: z.enum(settingNames).meta({ description: "Its name.", examples: ["SIGN_UP"] }),
};
type PathParams = typeof pathParams;

type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

export type ParamsOf<P extends string> = z.ZodObject<
  Pick<PathParams, NamesIn<P> & keyof PathParams>
>;

export const { userId: UserId, agentDid: AgentDid } = pathParams;

/** Returns the schema of a path's parameters. */
export function paramsIn(path: string): z.ZodObject {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
  return z.object(
    Object.fromEntries(names.map((name) => [name, pathParams[name as keyof PathParams]])),
  );
}

function id(prefix: string) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,32}$`), `Must be an id: ${prefix}_….`)
    .meta({ description: `${prefix}_<id>`, examples: [`${prefix}_8uGe2LwF5aTjC0iXo3MqSk`] });
}
