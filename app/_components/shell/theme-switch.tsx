"use client";

import { useState } from "react";
import { segment, segmentsBox } from "../lists/segments";
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
      <fieldset className={segmentsBox}>
        <legend className="sr-only">Colours</legend>
        {themes.map((theme) => (
          <button
            key={theme}
            type="submit"
            name="theme"
            value={theme}
            aria-pressed={theme === shown}
            onClick={() => turn(theme)}
            className={segment}
          >
            {words[theme]}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
