import Link from "next/link";
import type { ComponentProps } from "react";

const looks = {
  primary: "px-4 bg-accent text-on-accent hover:bg-accent-strong",
  secondary: "px-4 border border-edge bg-surface text-ink hover:bg-sunken",
  danger: "px-4 border border-danger bg-surface text-danger hover:bg-danger-soft",
  quiet: "px-3 text-muted hover:bg-sunken hover:text-ink",
};

interface Look {
  look?: keyof typeof looks;
}

const shape =
  "inline-flex min-h-10 items-center justify-center gap-2 rounded-box font-medium whitespace-nowrap motion-safe:transition-colors disabled:opacity-60";

export function Button({
  look = "primary",
  type = "button",
  className = "",
  ...rest
}: ComponentProps<"button"> & Look) {
  return <button type={type} className={`${shape} ${looks[look]} ${className}`} {...rest} />;
}

export function ButtonLink({
  look = "primary",
  className = "",
  ...rest
}: ComponentProps<typeof Link> & Look) {
  return <Link className={`${shape} ${looks[look]} ${className}`} {...rest} />;
}
