import type { IconName } from "../icon";

// Apart from the words for categories: this goes to the browser, and the protocol need not.

const icons: Record<string, IconName> = {
  preferences: "sliders-horizontal",
  interests: "palette",
  episodic: "clock-counter-clockwise",
  professional: "briefcase",
  health: "heartbeat",
  financial: "coins",
  relationships: "users-three",
  identity: "fingerprint",
};

/** The icon of a category's root; a tag for those without one. */
export function categoryIcon(category: string): IconName {
  const [root = ""] = category.replace(/^prof:/, "").split(".");
  return Object.hasOwn(icons, root) ? (icons[root] ?? "tag") : "tag";
}
