import { z } from "zod";

export const ticked = z
  .literal("on")
  .optional()
  .transform((on) => on !== undefined);

/** A zone that this system knows by that name. */
export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "Enter a time zone like Europe/Berlin.");

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
