import { headers } from "next/headers";
import { engine } from "@/lib/engine/engine";

/** Where this gateway is, as whoever reads the page reached it. */
export async function gatewayUrl(): Promise<string> {
  const [first] = engine().env.PUBLIC_URL;
  return first ?? `http://${(await headers()).get("host") ?? "localhost:3000"}`;
}
