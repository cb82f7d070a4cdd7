import { TextLink } from "../../_components/text-link";
import { askHref } from "./ask-href";
import { InquiryLines } from "./inquiry-lines";

interface InquiryBesideProps {
  id: string;
  inquiry: { question: string; answer: string | null } | null;
}

/** On the agent's side of a request: what its owner asked, or where to ask. */
export function InquiryBeside({ id, inquiry }: InquiryBesideProps) {
  return inquiry === null ? (
    <p className="my-2">
      <TextLink href={askHref(id)}>Ask it why</TextLink>
    </p>
  ) : (
    <div className="my-3.5 text-theirs-muted">
      <InquiryLines inquiry={inquiry} />
    </div>
  );
}
