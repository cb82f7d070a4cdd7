import type { PolicyChange } from "@/lib/rules/effect/policy-change";
import type { Ctx } from "@/lib/services/context";
import { effectOfPolicies } from "@/lib/services/policies/effect";
import { ButtonLink } from "../../../../_components/button";
import { Form, SubmitButton } from "../../../../_components/forms/form";
import { readerZone } from "../../../../_components/shell/reader-zone";
import type { PolicyFacts } from "../../../policy-sentence";
import { changeAction } from "../actions";
import { Broad } from "../effect/broad";
import { Effect } from "../effect/effect";
import { effectView } from "../effect/effect-view";
import { wordsToType } from "../words-to-type";
import { PolicySentence } from "./sentence";

interface ChosenProps {
  ctx: Ctx;
  did: string;
  title: string;
  /** The rules that it puts in force. */
  policies: readonly PolicyFacts[];
  change: PolicyChange;
  submit: { name: "template" | "on"; value: string; words: string };
}

/** A change of the list that is looked at before it is made; one that opens a lot asks for its words. */
export async function Chosen({ ctx, did, title, policies, change, submit }: ChosenProps) {
  const { name, value, words } = submit;
  const [typed = null] = policies.flatMap((policy) => wordsToType(policy) ?? []);
  const view = effectView(await effectOfPolicies(ctx, { did, change }), typed);
  const zone = await readerZone();
  const keyed = policies.map((policy, place) => ({ policy, place }));
  return (
    <section
      aria-labelledby="chosen"
      className="flex flex-col gap-4 rounded-box border border-ink bg-sunken p-4 sm:p-5"
    >
      <h2 id="chosen" className="scroll-mt-6 font-medium">
        {title}
      </h2>
      <ul className="list-disc pl-5">
        {keyed.map(({ policy, place }) => (
          <li key={place}>
            <PolicySentence policy={policy} zone={zone} />
          </li>
        ))}
        {policies.length === 0 && (
          <li>No rule: an agent has to ask you for what your own rules do not open.</li>
        )}
      </ul>
      <div className="theirs p-4">
        <Effect view={view} />
      </div>
      <Form action={changeAction} className="flex flex-col gap-4">
        {view.broad !== null && <Broad view={view.broad} />}
        <div className="flex flex-wrap gap-3">
          <SubmitButton name={name} value={value}>
            {words}
          </SubmitButton>
          <ButtonLink look="quiet" href="/dashboard/access/policies" scroll={false}>
            Keep what I have
          </ButtonLink>
        </div>
      </Form>
    </section>
  );
}
