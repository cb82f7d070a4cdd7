import { cookies } from "next/headers";
import { readZone, zoneCookie } from "./zone";

/** Returns the time zone that the reader's browser named last. */
export async function readerZone(): Promise<string> {
  return readZone((await cookies()).get(zoneCookie)?.value);
}
