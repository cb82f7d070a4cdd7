import { InertText } from "./inert-text";

const headMax = 600;

/** Cut where it would push everything else out of sight. A <details>: it opens before scripts do. */
export function LongText({ text }: { text: string }) {
  const characters = Array.from(text);
  const isLong = characters.length > headMax + 100;
  const rest = characters.length - headMax;
  return (
    <div className="overflow-clip">
      <p>
        <InertText text={isLong ? characters.slice(0, headMax).join("") : text} lines />
        {isLong && "…"}
      </p>
      {isLong && (
        <details className="mt-2">
          <summary className="text-small link font-medium">
            The other {rest.toLocaleString("en")} characters
          </summary>
          <p className="mt-2 leading-snug">
            <InertText text={characters.slice(headMax).join("")} lines />
          </p>
        </details>
      )}
    </div>
  );
}
