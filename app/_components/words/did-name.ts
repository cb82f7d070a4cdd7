import { parseDid } from "@/lib/protocol/did";

/** Returns the name in a DID, which of a person is the handle. */
export function didName(did: string): string {
  return parseDid(did)?.name ?? did;
}
