import { Card } from "@/app/_components/card";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { didName } from "@/app/_components/words/did-name";
import { muteAction } from "./actions";

/** Agents that no mail is about, each with the button that ends that. */
export function Muted({ dids }: { dids: string[] }) {
  if (dids.length === 0) return null;
  return (
    <Card title="Muted agents">
      <ul className="flex flex-col divide-y divide-line">
        {dids.map((did) => (
          <li key={did} className="flex flex-wrap items-center justify-between gap-3 py-3">
            <p className="min-w-0 wrap-anywhere">
              {didName(did)} <span className="text-small text-muted">{did}</span>
            </p>
            <Form action={muteAction} className="">
              <input type="hidden" name="agentDid" value={did} />
              <input type="hidden" name="muted" value="no" />
              <SubmitButton look="secondary">
                Unmute<span className="sr-only"> {didName(did)}</span>
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
    </Card>
  );
}
