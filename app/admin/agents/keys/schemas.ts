import { z } from "zod";
import { PublicKey } from "@/lib/auth/keys/public-key";
import { text } from "@/lib/protocol/resources";
import { AgentDid } from "../schemas";

export const AddKeyForm = z.object({
  did: AgentDid,
  label: text({ min: 1, max: 100 }),
  publicKey: PublicKey,
});

export const RevokeKeyForm = z.object({
  did: AgentDid,
  keyId: z.string().regex(/^key_[0-9A-Za-z]{1,32}$/, "Not a key."),
});
