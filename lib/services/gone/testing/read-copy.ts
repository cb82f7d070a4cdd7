import { fileTarget, type GoneLines } from "../gone-file";

/** Reads a file that must be there. */
export async function readCopy(file: string): Promise<GoneLines> {
  const lines = await fileTarget(file).read();
  if (lines === null) throw new Error(`${file} is not there`);
  return lines;
}
