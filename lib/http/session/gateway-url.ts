import { headers } from "next/headers";
import { engine } from "@/lib/engine/engine";

/** Returns the canonical address of this gateway, or the one that the reader used. */
export async function gatewayUrl(): Promise<string> {
  const [first] = engine().env.PUBLIC_URL;
  return first ?? `http://${(await headers()).get("host") ?? "localhost:3000"}`;
}
