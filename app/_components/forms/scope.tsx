"use client";

import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

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
  return <Awake name={did === null ? undefined : "profile"} value={did ?? ""} />;
}

/** Tells early-submits.tsx whether React has taken over the form around it. */
export function Awake({ name, value = "" }: { name?: string; value?: string }) {
  const [isAwake, setIsAwake] = useState(false);
  useEffect(() => setIsAwake(true), []);
  return <input type="hidden" name={name} value={value} data-asleep={isAwake ? undefined : ""} />;
}
