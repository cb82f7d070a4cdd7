"use client";

import { CopyButton } from "@/app/_components/copy-button";
import type { Option } from "../../_components/forms/fields/options";
import { SelectField } from "../../_components/forms/fields/select-field";
import { useFormState } from "../../_components/forms/form";
import { ExactTime } from "../../_components/shown/when";
import type { LinkShown } from "./actions";

/** The link that the form around it has made, on the only occasion there is to copy it. */
export function LinkShownOnce({ what }: { what: string }) {
  const { shown: link } = useFormState<LinkShown>();
  if (link === undefined) return null;
  return (
    <div className="rounded-box border border-line bg-sunken px-4 py-3">
      <p>
        It works once, until <ExactTime at={new Date(link.expiresAt)} />. It is not shown again: the
        gateway has no mail server, so hand it over yourself.
      </p>
      <p className="mt-2 flex items-center gap-2">
        <code className="min-w-0 flex-1 font-mono text-small break-all">{link.url}</code>
        <CopyButton text={link.url} what={what} />
      </p>
    </div>
  );
}

const roles: Option[] = [
  ["user", "User: has profiles, and decides about them"],
  ["admin", "Admin: runs this gateway; sees no contents of profiles"],
];

export function RoleField({ current }: { current: "user" | "admin" }) {
  return <SelectField name="role" label="Role" choices={roles} initial={current} />;
}
