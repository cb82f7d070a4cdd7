"use client";

import { Form, SubmitButton } from "../../_components/forms/form";
import { revokeReceiptAction } from "./actions";

interface RevokeReceiptProps {
  receiptId: string;
  isActive: boolean;
  what: string;
}

export function RevokeReceipt({ receiptId, isActive, what }: RevokeReceiptProps) {
  return (
    <Form action={revokeReceiptAction} className="inline-flex">
      <input type="hidden" name="receiptId" value={receiptId} />
      {isActive && (
        <SubmitButton look="secondary" className="max-md:mt-2">
          Revoke<span className="sr-only"> {what}</span>
        </SubmitButton>
      )}
    </Form>
  );
}
