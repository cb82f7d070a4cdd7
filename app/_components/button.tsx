import Link from "next/link";
import type { ComponentProps } from "react";

const looks = {
  primary: "px-3.5 border border-ink bg-ink text-on-ink hover:bg-ink-hover",
  secondary: "px-3.5 border border-edge bg-surface text-ink hover:border-ink",
  danger: "px-3.5 border border-danger bg-surface text-danger hover:bg-danger-soft",
  end: "px-3.5 border border-danger bg-danger text-on-danger",
  sensitive: "px-3.5 border border-sensitive bg-sensitive text-on-sensitive",
  quiet: "px-3 text-muted hover:bg-sunken hover:text-ink",
};

interface Look {
  look?: keyof typeof looks;
}

const shape =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded-control print:hidden font-semibold whitespace-nowrap disabled:opacity-60 rail:min-h-9 forced-colors:border";

export function Button({
  look = "primary",
  type = "button",
  className = "",
  ...rest
}: ComponentProps<"button"> & Look) {
  return <button type={type} className={`${shape} ${looks[look]} ${className}`} {...rest} />;
}

/** The main act of a list: on a phone at its foot, in reach of the thumb. */
export const inReach = "fixed right-4 bottom-19 z-10 shadow-float rail:static rail:shadow-none";

export function ButtonLink({
  look = "primary",
  className = "",
  ...rest
}: ComponentProps<typeof Link> & Look) {
  return <Link className={`${shape} ${looks[look]} ${className}`} {...rest} />;
}
