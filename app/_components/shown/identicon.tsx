import { type Cell, identiconOf } from "./identicon-shapes";

interface IdenticonProps {
  /** Or the address of somebody without a profile. */
  did: string;
  className?: string;
}

/** The picture of a DID, beside its name: people are round, agents square. */
export function Identicon({ did, className = "size-6" }: IdenticonProps) {
  const { hue, cells } = identiconOf(did);
  const shape = did.startsWith("did:prof:agent:") ? "rounded-[20%]" : "rounded-full";
  return (
    <span
      aria-hidden="true"
      data-hue={hue}
      className={`identicon inline-block shrink-0 overflow-hidden ${shape} ${className}`}
    >
      <svg viewBox="-3 -3 26 26" className="block size-full fill-current" aria-hidden="true">
        <path fillRule="evenodd" d={cells.map(outline).join("")} />
      </svg>
    </span>
  );
}

// A cell is 10 by 10; its points are the pairs with a comma.
const paths = {
  quarter: "M0,0L10,0A10 10 0 0 1 0,10Z",
  lobe: "M0,0L10,0L10,10A10 10 0 0 1 0,0Z",
  triangle: "M0,0L10,0L0,10Z",
  bar: "M0,0L10,0L10,5L0,5Z",
  leaf: "M0,0A10 10 0 0 1 10,10A10 10 0 0 1 0,0Z",
  dot: "M1,5A4 4 0 1 0 9,5A4 4 0 1 0 1,5Z",
  notch: "M0,0L10,0L10,10L0,10ZM10,10A6 6 0 0 0 4,4L4,10Z",
  gate: "M0,5A5 5 0 0 1 10,5L10,10L0,10Z",
} as const satisfies Record<Cell["shape"], string>;

function outline({ shape, turn, x, y }: Cell): string {
  return paths[shape].replace(/(\d\d?),(\d\d?)/g, (_pair, left, top) => {
    let [a, b] = [Number(left), Number(top)];
    for (let turned = 0; turned < turn; turned += 90) [a, b] = [10 - b, a];
    return `${a + x},${b + y}`;
  });
}
