import type { ReactNode } from "react";

interface HeadingProps {
  title: string;
  children?: ReactNode;
}

export function Heading({ title, children }: HeadingProps) {
  return (
    <div className="mb-7">
      <h1 className="text-title font-semibold tracking-tight">{title}</h1>
      {children && <p className="mt-1 text-muted">{children}</p>}
    </div>
  );
}
