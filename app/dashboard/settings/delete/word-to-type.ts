import { parseDid } from "@/lib/protocol/did";

/** What somebody without a password types to confirm: the handle. */
export function wordToType(did: string): string {
  return parseDid(did)?.name ?? did;
}
