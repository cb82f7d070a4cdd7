/** The reader's time zone, as their browser says it; a page that was made before is in UTC. */
export const zoneCookie = "zone";

const zoneMax = 64;

export function readZone(text: string | undefined): string {
  if (text === undefined || text.length > zoneMax) return "UTC";
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}
