"use client";

import { useState } from "react";
import { SegmentButtons } from "../lists/segments";
import { type Theme, themes } from "./theme";

interface ThemeSwitchProps {
  current: Theme;
  choose: (form: FormData) => Promise<void>;
}

const words: Record<Theme, string> = { system: "Auto", light: "Light", dark: "Dark" };
const choices = themes.map((theme) => [theme, words[theme]] as const);

// Three submit buttons, so that it works before any script does; with scripts the page turns at once.
export function ThemeSwitch({ current, choose }: ThemeSwitchProps) {
  const [shown, setShown] = useState(current);
  function turn(theme: Theme) {
    setShown(theme);
    document.documentElement.dataset.theme = theme;
  }
  return (
    <form action={choose}>
      <SegmentButtons label="Colours" name="theme" choices={choices} current={shown} turn={turn} />
    </form>
  );
}
