import { Form, SubmitButton } from "../../_components/forms/form";
import { Icon } from "../../_components/icon";
import { everythingOffAction } from "../agents/actions";

/** One act for the owner who is not sure any more: no agent reads, asks or proposes anything. */
export function EverythingOff() {
  return (
    <Form action={everythingOffAction} className="mt-2 flex justify-end">
      <SubmitButton
        look="danger"
        name="intent"
        value="off"
        title="No agent reads, asks or proposes anything, until you say so"
      >
        <Icon icon="power" className="size-4" />
        Everything off, now
      </SubmitButton>
    </Form>
  );
}
