"use client";

import { useState } from "react";
import { type Theme, themes } from "./theme";

interface ThemeSwitchProps {
  current: Theme;
  choose: (form: FormData) => Promise<void>;
}

const words: Record<Theme, string> = { system: "Auto", light: "Light", dark: "Dark" };

// Three submit buttons, so that it works before any script does; with scripts the page turns at once.
export function ThemeSwitch({ current, choose }: ThemeSwitchProps) {
  const [shown, setShown] = useState(current);
  function turn(theme: Theme) {
    setShown(theme);
    document.documentElement.dataset.theme = theme;
  }
  return (
    <form action={choose}>
      <fieldset className="inline-flex gap-1 rounded-box bg-sunken p-1">
        <legend className="sr-only">Colours</legend>
        {themes.map((theme) => (
          <button
            key={theme}
            type="submit"
            name="theme"
            value={theme}
            aria-pressed={theme === shown}
            onClick={() => turn(theme)}
            className="min-h-7 rounded-box px-3 text-xs text-muted hover:text-ink aria-pressed:bg-lifted aria-pressed:text-ink aria-pressed:shadow-raised"
          >
            {words[theme]}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
