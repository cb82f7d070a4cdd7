import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

const hues = [18, 48, 78, 112, 142, 168, 195, 222, 252, 282, 312, 342] as const;
const shapes = ["quarter", "lobe", "triangle", "bar", "leaf", "dot", "notch", "gate"] as const;

export interface Cell {
  shape: (typeof shapes)[number];
  /** Degrees. */
  turn: number;
  x: number;
  y: number;
}

/** Draws a DID as four cells in one hue. It helps to recognise somebody and proves nothing. */
export function identiconOf(did: string): { hue: number; cells: Cell[] } {
  const bytes = sha256(utf8ToBytes(did));
  const at = (index: number) => bytes[index] ?? 0;
  const cells: Cell[] = [];
  for (const index of [0, 1, 2, 3]) {
    const byte = at(index + 1);
    const before = cells[index - 1]?.shape;
    const chosen = shapes[byte % 8] ?? "dot";
    // Two neighbours of the same shape would look like one.
    const shape = chosen === before ? (shapes[(byte + 3) % 8] ?? "dot") : chosen;
    const turn = 90 * ((byte >> 3) % 4);
    cells.push({ shape, turn, x: 10 * (index % 2), y: 10 * Math.floor(index / 2) });
  }
  return { hue: hues[at(0) % 12] ?? hues[0], cells };
}
