"use client";

import { createContext, type ReactNode, useContext } from "react";

const Scope = createContext<string | null>(null);

/** Which profile what is shown belongs to: another tab may have chosen another one since. */
export function ProfileScope({ did, children }: { did: string | null; children: ReactNode }) {
  return <Scope value={did}>{children}</Scope>;
}

export function useScope(): string | null {
  return useContext(Scope);
}

/** Belongs into every form that changes a profile; `Form` has it already. */
export function OfProfile() {
  const did = useScope();
  return did === null ? null : <input type="hidden" name="profile" value={did} />;
}
