import type { Policy } from "@/lib/rules/facts";
import { Form } from "../../_components/forms/form";
import { categoryWords } from "../../_components/words/category";
import { list } from "../../_components/words/list";
import { changeAction } from "./policies/actions";

/** Ends a grant, with all that it opens. */
export function EndGrant({ policy: { id, allow } }: { policy: Pick<Policy, "id" | "allow"> }) {
  const name = allow.length === 1 ? "End" : `End all ${allow.length}`;
  const label = `${name}: ${list(allow.map(categoryWords))}`;
  return (
    <Form action={changeAction} className="">
      <button
        type="submit"
        name="remove"
        value={id}
        aria-label={label}
        title={label}
        className="inline-flex min-h-11 items-center link font-medium rail:min-h-6"
      >
        {name}
      </button>
    </Form>
  );
}
