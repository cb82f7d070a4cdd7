import Link from "next/link";

interface PagesProps {
  /** Where the first page is; null on it. */
  newest: string | null;
  older: string | null;
  /** Labels for lists that are not sorted by time. */
  words?: { first: string; next: string };
}

const byTime = { first: "Newest", next: "Older" };

/** Both ways out of one page of a long list. */
export function Pages({ newest, older, words = byTime }: PagesProps) {
  if (newest === null && older === null) return null;
  const link = "inline-flex min-h-10 items-center link font-medium";
  return (
    <nav aria-label="Pages" className="flex gap-6">
      {newest !== null && (
        <Link href={newest} className={link}>
          {words.first}
        </Link>
      )}
      {older !== null && (
        <Link href={older} className={link}>
          {words.next}
        </Link>
      )}
    </nav>
  );
}
