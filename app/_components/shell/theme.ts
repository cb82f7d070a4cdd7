export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const themeCookie = "theme";

export function readTheme(text: unknown): Theme {
  return themes.find((theme) => theme === text) ?? "system";
}
