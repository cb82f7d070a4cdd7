import { CopyButton } from "../../_components/copy-button";

/** What is pasted, by one press. */
export function Address({ address }: { address: string }) {
  return (
    <section aria-labelledby="address" className="mt-5 mb-5.5">
      <h2 id="address" className="font-semibold">
        The address of your gateway
      </h2>
      <div className="mt-2 flex flex-wrap items-center gap-2 rounded-box border-2 border-ink bg-surface py-1.5 pr-1.5 pl-4">
        <span className="min-w-0 flex-1 basis-60 text-lead font-semibold wrap-anywhere">
          {address}
        </span>
        <CopyButton text={address} what="the address of your gateway" isMain />
      </div>
    </section>
  );
}
