import { Card } from "@/app/_components/card";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import type { Provider } from "@/lib/auth/providers";
import { linkAction, unlinkAction } from "./actions";

interface LinkedProps {
  providers: Provider[];
  linked: string[];
}

/** Ways to sign in beside the password, where this gateway has any. */
export function Linked({ providers, linked }: LinkedProps) {
  if (providers.length === 0) return null;
  return (
    <Card title="Sign in with">
      <ul className="flex flex-col divide-y divide-line">
        {providers.map(({ id, name }) => {
          const isLinked = linked.includes(id);
          return (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div>
                <p className="font-medium">{name}</p>
                <p className="text-muted">{isLinked ? "Linked to this account" : "Not linked"}</p>
              </div>
              <Form action={isLinked ? unlinkAction : linkAction} className="">
                <input type="hidden" name="provider" value={id} />
                <SubmitButton look="secondary">
                  {isLinked ? "Unlink" : "Link"}
                  <span className="sr-only"> {name}</span>
                </SubmitButton>
              </Form>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
