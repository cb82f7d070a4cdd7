import { parseDid } from "@/lib/protocol/did";

/** Returns what a person types to delete the profile: its handle. */
export function wordToType(did: string): string {
  return parseDid(did)?.name ?? did;
}
