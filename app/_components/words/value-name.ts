import { visibleText } from "./inert";

const lengthMax = 80;

/** "yearsOfExperience" → "Years of experience"; abbreviations stay as they are. */
export function valueName(name: string): string {
  const words = visibleText(name.slice(0, lengthMax))
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .filter((word) => word !== "")
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(" ");
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
