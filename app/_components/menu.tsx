import Link from "next/link";
import { type ComponentProps, type ReactNode, useId } from "react";
import { Icon, type IconName } from "./icon";

interface MenuProps {
  /** What the menu is about: "More about Iris". */
  label: string;
  children: ReactNode;
}

/** What can be done with one row. The browser opens, closes and places it, also without scripts. */
export function Menu({ label, children }: MenuProps) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={label}
        title={label}
        className="inline-flex size-11 flex-none items-center justify-center rounded-control text-muted hover:bg-sunken hover:text-ink rail:size-9"
      >
        <Icon icon="dots-three-bold" />
      </button>
      <div id={id} popover="auto" className="menu">
        {children}
      </div>
    </>
  );
}

/** The looks of a link or button in a menu, and of one that ends something. */
export const menuItem = "menu-item";
export const menuDanger = "menu-item text-danger";

export function MenuWords({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <>
      <Icon icon={icon} className="size-4" />
      {children}
    </>
  );
}

interface MenuLinkProps extends Omit<ComponentProps<typeof Link>, "children"> {
  icon: IconName;
  text: string;
}

/** A place that a menu leads to. */
export function MenuLink({ icon, text, ...link }: MenuLinkProps) {
  return (
    <Link prefetch={false} className={menuItem} {...link}>
      <MenuWords icon={icon}>{text}</MenuWords>
    </Link>
  );
}
