import type { ReactNode } from "react";

interface HeadingProps {
  title: string;
  children?: ReactNode;
}

export function Heading({ title, children }: HeadingProps) {
  return (
    <div className="mb-8">
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      {children !== undefined && <p className="mt-2 text-muted">{children}</p>}
    </div>
  );
}
