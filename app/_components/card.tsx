import type { ReactNode } from "react";

interface CardProps {
  title?: string;
  children: ReactNode;
}

export function Card({ title, children }: CardProps) {
  return (
    <section className="box p-5 sm:p-6">
      {title !== undefined && (
        <h2 className="mb-3 text-lead font-semibold wrap-anywhere">{title}</h2>
      )}
      {children}
    </section>
  );
}
