import { InertText } from "../../_components/shown/inert-text";

/** What tells a token from others: its owner's label and how it ends, or the browser that connected a client. */
export interface NamedToken {
  label: string | null;
  /** Null for what a client connected: its tokens change. */
  lastFour: string | null;
}

export function tokenKind({ lastFour }: NamedToken): "connection token" | "connection" {
  return lastFour === null ? "connection" : "connection token";
}

/** Goes before the browser in which the owner connected a client. */
export const letInFrom = "let in from ";

/** “Laptop” (…x4Kd), or let in from Firefox on Linux. */
export function TokenName({ label, lastFour }: NamedToken) {
  return (
    <>
      {lastFour === null && label !== null && letInFrom}
      {label !== null && <InertText text={lastFour === null ? label : `“${label}”`} />}
      {lastFour !== null && ` (…${lastFour})`}
    </>
  );
}
