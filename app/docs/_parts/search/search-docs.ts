import { beginningWith } from "../../../_components/words/found-words";
import { docsIndex, type IndexedSection } from "./docs-index";

export const resultsMax = 30;
const wordsMax = 8;
const excerptMax = 180;

export interface Excerpt {
  at: number;
  text: string;
  isMatch: boolean;
}

export interface Found {
  href: string;
  /** The title of its page. */
  page: string;
  title: string;
  excerpt: Excerpt[];
}

/** Returns the sections that have all words of the query, those with the words in their heading first. */
export function searchDocs(query: string): Found[] {
  const words = [...new Set(query.toLowerCase().split(/\s+/))].filter(Boolean).slice(0, wordsMax);
  if (words.length === 0) return [];
  return docsIndex()
    .map((section) => ({ section, rank: rankOf(section, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, resultsMax)
    .map(({ section: { href, page, title, text } }) => ({
      ...{ href, page, title },
      excerpt: excerptOf(text, words),
    }));
}

/** Returns 0 where a word is missing; a word in the heading counts more than one in the page's title or the text. */
function rankOf({ page, title, text }: IndexedSection, words: readonly string[]): number {
  const ranks = words.map((word): number => {
    const match = beginningWith([word]);
    if (match.test(title)) return 100;
    if (match.test(page)) return 10;
    return match.test(text) ? 1 : 0;
  });
  return ranks.some((rank) => rank === 0) ? 0 : ranks.reduce((sum, rank) => sum + rank, 0);
}

/** Returns the text around the longest word, split at all of them. */
function excerptOf(text: string, words: readonly string[]): Excerpt[] {
  const [longest = ""] = words.toSorted((one, other) => other.length - one.length);
  const first = Math.max((beginningWith([longest]).exec(text)?.index ?? 0) - excerptMax / 3, 0);
  const start = first === 0 ? 0 : text.indexOf(" ", first) + 1;
  const shown = text.slice(start, start + excerptMax);
  let at = 0;
  const pieces = shown.split(beginningWith(words)).map((piece, index) => {
    const one = { at, text: piece, isMatch: index % 2 === 1 };
    at += piece.length;
    return one;
  });
  const isCut = start + excerptMax < text.length;
  return isCut ? [...pieces, { at, text: " …", isMatch: false }] : pieces;
}
