import { ButtonLink } from "../button";

/** The words of a page that is not there. */
export function Missing({ home, homeName }: { home: string; homeName: string }) {
  return (
    <div className="max-w-prose">
      <h1 className="text-title font-semibold tracking-tight">There is no page at this address</h1>
      <p className="mt-2 text-muted">
        What it was about may be gone, or the address has a typing error. Nothing of yours is
        affected.
      </p>
      <ButtonLink className="mt-6" href={home} look="secondary">
        {homeName}
      </ButtonLink>
    </div>
  );
}
