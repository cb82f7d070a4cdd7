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

/** “Laptop” (…x4Kd), or “Firefox on Linux”. */
export function TokenName({ label, lastFour }: NamedToken) {
  return (
    <>
      {label !== null && <InertText text={`“${label}”`} />}
      {lastFour !== null && ` (…${lastFour})`}
    </>
  );
}
