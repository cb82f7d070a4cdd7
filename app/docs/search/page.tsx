import type { Metadata } from "next";
import type { Query } from "@/lib/http/session/address/search-params";
import { TextLink } from "../../_components/text-link";
import { docsSearch } from "../_parts/search/address";
import { type Found, resultsMax, searchDocs } from "../_parts/search/search-docs";
import { SearchForm } from "../_parts/search/search-form";

export const metadata: Metadata = { title: "Search" };

export default async function DocsSearchPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { q } = docsSearch.read(await searchParams);
  const found = q === undefined ? [] : searchDocs(q);
  return (
    <div className="max-w-190">
      <h1 className="mb-4 text-title font-semibold tracking-tight rail:text-claim">
        Search the documentation
      </h1>
      <SearchForm label="Search the documentation" value={q} />
      {q !== undefined && (
        <>
          <p role="status" className="mt-4 text-muted">
            {countWords(found.length)}
          </p>
          <ol className="mt-2 divide-y divide-line">
            {found.map((one) => (
              <Result key={one.href} found={one} />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function countWords(count: number): string {
  if (count === 0) return "No section has all of these words. Try fewer or shorter ones.";
  if (count === resultsMax) return `The first ${count} sections. Add a word to see fewer.`;
  return count === 1 ? "1 section" : `${count} sections`;
}

function Result({ found: { href, page, title, excerpt } }: { found: Found }) {
  return (
    <li className="py-4">
      <p className="text-small text-muted">{page}</p>
      <h2 className="font-semibold">
        <TextLink href={href}>{title}</TextLink>
      </h2>
      <p className="mt-1 max-w-prose text-muted [overflow-wrap:anywhere]">
        {excerpt.map(({ at, text, isMatch }) =>
          isMatch ? (
            <mark key={at} className="rounded-key bg-signal-soft px-0.5 text-ink">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </p>
    </li>
  );
}
