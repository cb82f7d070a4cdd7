/** Says how many a list has of which it shows the first; nothing where it shows all. */
export function FirstOf({ shown, all }: { shown: number; all: number }) {
  if (shown >= all) return null;
  return (
    <p className="mt-2 text-small text-muted">
      The first {shown.toLocaleString("en")} of {all.toLocaleString("en")}.
    </p>
  );
}
