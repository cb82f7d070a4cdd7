import { Form, SubmitButton } from "../../_components/forms/form";
import { Icon } from "../../_components/icon";
import { everythingOffAction } from "../agents/actions";

/** One act for the owner who is not sure any more: no agent reads, asks or proposes anything. */
export function EverythingOff() {
  return (
    <Form
      action={everythingOffAction}
      className="mt-2 flex flex-wrap items-center justify-end gap-x-4 gap-y-2"
    >
      <p id="off-means" className="text-small text-muted">
        Then no agent reads, asks or proposes anything until you turn it on again.
      </p>
      <SubmitButton look="danger" name="intent" value="off" aria-describedby="off-means">
        <Icon icon="power" className="size-4" />
        Everything off, now
      </SubmitButton>
    </Form>
  );
}
