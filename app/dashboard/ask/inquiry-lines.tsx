import { InertText } from "../../_components/shown/inert-text";

interface InquiryLinesProps {
  inquiry: { question: string; answer: string | null };
}

/** What was asked and answered: both are text, and nothing in them acts. */
export function InquiryLines({ inquiry: { question, answer } }: InquiryLinesProps) {
  return (
    <>
      <p>
        <b className="font-medium text-ink">You asked.</b> <InertText text={question} lines />
      </p>
      <p>
        {answer === null ? (
          "No answer yet: it finds your question when it looks at what it asked for."
        ) : (
          <>
            <b className="font-medium text-ink">It answered.</b> <InertText text={answer} lines />
          </>
        )}
      </p>
    </>
  );
}
