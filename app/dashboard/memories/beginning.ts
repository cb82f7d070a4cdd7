import { visibleText } from "../../_components/words/inert";

const lengthMax = 60;

/** Returns the beginning of a memory: its name in titles, labels and messages. */
export function beginningOf(content: string): string {
  const characters = Array.from(visibleText(content.slice(0, 4 * lengthMax)));
  const beginning = characters.slice(0, lengthMax).join("").trim();
  return characters.length > lengthMax ? `${beginning}…` : beginning;
}
