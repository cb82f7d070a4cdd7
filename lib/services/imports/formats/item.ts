import { isStorable } from "@/lib/protocol/resources";
import { type Category, isCategory } from "@/lib/protocol/scope";
import { suggestCategory } from "./category";
import type { ClaimedDate } from "./claimed-date";

/** The most bytes that an import may have, and that a zip may unpack to. */
export const importBytesMax = 25 * 1024 * 1024;

const itemsMax = 5_000;
const entriesMax = 50_000;
const contentMax = 10_000;
const sectionMax = 100;

/** A memory as its source wrote it. */
export interface ImportItem {
  content: string;
  /** When the source says that it was saved; null where it does not say. */
  date: ClaimedDate | null;
  /** The heading or the tags that it was under. */
  section: string | null;
  /** A suggestion, except for the product's own archive, which names it. */
  category: Category;
}

/** What a reader knows of an item. */
type Entry = Partial<ImportItem> & Pick<ImportItem, "content">;

/** Why an entry was left out. */
export type LeftOut = "empty" | "too long" | "archived" | "deleted" | "off" | "unreadable";

export interface ImportContents {
  items: ImportItem[];
  leftOut: Partial<Record<LeftOut, number>>;
}

/** An import that cannot be read: its message is one sentence for the person, and says what to do. */
export class ImportRefused extends Error {
  override readonly name = "ImportRefused";

  constructor(problem: string, remedy: string) {
    super(`${problem}, so nothing was kept: ${remedy}.`);
  }
}

/** Collects items, and counts what is left out. */
export class Collector {
  readonly contents: ImportContents = { items: [], leftOut: {} };
  #entries = 0;

  leave(why: LeftOut): void {
    this.#count();
    this.contents.leftOut[why] = (this.contents.leftOut[why] ?? 0) + 1;
  }

  add({ content: text, ...rest }: Entry): void {
    const content = text.trim();
    if (content === "") this.leave("empty");
    else if (content.length > 2 * contentMax || [...content].length > contentMax) {
      this.leave("too long");
    } else if (!isStorable(content)) this.leave("unreadable");
    else this.#keep({ content, ...rest });
  }

  #keep({ content, date, section, category: named = "" }: Entry): void {
    this.#count();
    if (this.contents.items.length === itemsMax) {
      throw tooMany(`more than ${itemsMax.toLocaleString("en")} memories`);
    }
    const heading = shortened(section ?? "");
    this.contents.items.push({
      content,
      date: date && isStorable(date.text) ? date : null,
      section: heading,
      category: isCategory(named) ? named : suggestCategory({ content, section: heading }),
    });
  }

  #count(): void {
    this.#entries += 1;
    if (this.#entries > entriesMax) {
      throw tooMany(`more than ${entriesMax.toLocaleString("en")} entries`);
    }
  }
}

function tooMany(what: string): ImportRefused {
  return new ImportRefused(`The import has ${what}`, "split it and import the parts");
}

function shortened(section: string): string | null {
  const text = section
    .slice(0, 2 * sectionMax)
    .replace(/\s+/g, " ")
    .trim();
  const short = [...text].slice(0, sectionMax).join("");
  return short !== "" && isStorable(short) ? short : null;
}
