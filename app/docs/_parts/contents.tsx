export interface ContentsEntry {
  id: string;
  title: string;
  /** Whether it is below the one before. */
  isSub?: boolean;
}

export function Contents({ entries }: { entries: readonly ContentsEntry[] }) {
  return (
    <nav aria-label="On this page">
      <ul className="border-l border-line text-small">
        {entries.map(({ id, title, isSub = false }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className={`flex min-h-11 items-center py-1 text-muted [overflow-wrap:anywhere] hover:text-ink hover:underline rail:min-h-7 ${isSub ? "pl-6" : "pl-3"}`}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
