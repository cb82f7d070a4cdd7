import Link from "next/link";

export function BackToPolicies() {
  return (
    <Link
      href="/dashboard/access/policies"
      className="mb-2 inline-flex min-h-8 items-center text-muted underline-offset-4 hover:text-ink hover:underline"
    >
      ← All rules
    </Link>
  );
}
