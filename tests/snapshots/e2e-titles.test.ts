import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the browser tests are those that there were", async () => {
  const { stdout } = await promisify(execFile)("npx", ["playwright", "test", "--list"]);
  const titles = stdout.split("\n").flatMap((line) => {
    const [, file, title] = /\[\w+\] › ([^:]+):\d+:\d+ › (.*)$/.exec(line) ?? [];
    return file === undefined ? [] : [`${file} › ${title}`];
  });
  await expect(`${titles.sort().join("\n")}\n`).toMatchFileSnapshot("e2e-titles.txt");
});
