import { z } from "zod";
import { Did } from "@/lib/protocol/did";
import { Timestamp } from "@/lib/protocol/resources";

// What several answers have in them.

export const Agent = z
  .object({
    did: Did,
    name: z.string().nullable().describe("As the agent calls itself; null where it is not known."),
    verified: z.boolean().describe("Whether an admin of the gateway has verified it."),
  })
  .describe("An agent.");

export const Permissions = z
  .array(z.enum(["read", "propose"]))
  .min(1)
  .max(2)
  .overwrite(unique);

export const SometimesAt = Timestamp.nullable();

function unique<T>(all: T[]): T[] {
  return [...new Set(all)];
}
