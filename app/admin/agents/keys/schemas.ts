import { z } from "zod";
import { PublicKey } from "@/lib/auth/keys/public-key";
import { idOf } from "@/lib/http/session/form-fields";
import { text } from "@/lib/protocol/resources";
import { AgentDid } from "../schemas";

export const AddKeyForm = z.object({
  did: AgentDid,
  label: text({ min: 1, max: 100 }),
  publicKey: PublicKey,
});

export const RevokeKeyForm = z.object({
  did: AgentDid,
  keyId: idOf("key", "a key"),
});
