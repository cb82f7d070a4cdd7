"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import type { ShownMemory } from "@/lib/services/memories/shown";
import type { Choice } from "../../../_components/forms/select-field";
import { AddMemory, EditMemory, MoveMemory } from "./forms";

interface EditPanelProps {
  memory: ShownMemory;
  categories: Choice[];
  /** The address of this page with the panel closed. */
  closed: string;
}

export function EditPanel({ memory, categories, closed }: EditPanelProps) {
  return (
    <Panel closed={closed} returnTo={memory.id} className="mt-4 border-t border-line pt-4">
      {(close) => (
        <>
          <EditMemory memory={memory} done={close} />
          <div className="flex flex-col gap-5 border-t border-line pt-4">
            <MoveMemory memory={memory} categories={categories} done={close} />
          </div>
        </>
      )}
    </Panel>
  );
}

export function AddPanel({ categories, closed }: Omit<EditPanelProps, "memory">) {
  return (
    <Panel
      closed={closed}
      returnTo="add-memory"
      className="rounded-box border border-line bg-surface p-4 shadow-raised sm:p-5"
    >
      {(close) => <AddMemory categories={categories} done={close} />}
    </Panel>
  );
}

interface PanelProps {
  closed: string;
  /** The id of what has the focus afterwards. */
  returnTo: string;
  className: string;
  children: (close: () => void) => ReactNode;
}

/** Forms that a link opens and a link closes: what is posted before scripts run finds them open still. */
function Panel({ closed, returnTo, className, children }: PanelProps) {
  const router = useRouter();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const here = panel.current;
    const leave = (event: KeyboardEvent) =>
      event.key === "Escape" && router.replace(closed, { scroll: false });
    here?.addEventListener("keydown", leave);
    return () => here?.removeEventListener("keydown", leave);
  }, [closed, router]);
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>("textarea")?.focus();
    return () => document.getElementById(returnTo)?.focus({ preventScroll: true });
  }, [returnTo]);
  return (
    <div ref={panel} className={`flex flex-col gap-5 ${className}`}>
      {children(() => router.replace(closed, { scroll: false }))}
      <Link
        href={closed}
        scroll={false}
        className="self-start font-medium text-accent underline underline-offset-4"
      >
        Close without saving
      </Link>
    </div>
  );
}
