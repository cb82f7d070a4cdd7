import { Form, SubmitButton } from "@/app/_components/forms/form";
import { providersOf } from "@/lib/auth/providers";
import { engine } from "@/lib/engine/engine";
import { beginAction } from "./actions";

/** Only where this gateway has a client for one. */
export function ProviderButtons() {
  const providers = providersOf(engine().env);
  if (providers.length === 0) return null;
  return (
    <div className="mt-8 flex flex-col gap-3 border-t border-line pt-6">
      {providers.map(({ id, name }) => (
        <Form key={id} action={beginAction} className="flex flex-col">
          <input type="hidden" name="provider" value={id} />
          <SubmitButton look="secondary" className="self-stretch">
            Continue with {name}
          </SubmitButton>
        </Form>
      ))}
    </div>
  );
}
