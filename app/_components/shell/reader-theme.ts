import { cookies } from "next/headers";
import { readTheme, type Theme, themeCookie } from "./theme";

/** The theme that was chosen in this browser. */
export async function readerTheme(): Promise<Theme> {
  return readTheme((await cookies()).get(themeCookie)?.value);
}
