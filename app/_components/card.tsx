import type { ReactNode } from "react";

interface CardProps {
  title?: string;
  children: ReactNode;
  className?: string;
}

export function Card({ title, children, className = "" }: CardProps) {
  return (
    <section
      className={`rounded-box border border-line bg-surface p-5 shadow-raised sm:p-6 ${className}`}
    >
      {title !== undefined && (
        <h2 className="mb-3 text-base font-semibold wrap-anywhere">{title}</h2>
      )}
      {children}
    </section>
  );
}
