import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { notFound } from "@/lib/protocol/errors";
import { createLog, type LogFields } from "./log";

function linesOf(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(createLog({ level: "debug", destination }));
  return lines;
}

test("a line is one JSON object with time, level, message and request id", () => {
  const [line = ""] = linesOf((log) => log.info("answered", { requestId: "req_1", status: 200 }));
  expect(JSON.parse(line)).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    msg: "answered",
    requestId: "req_1",
    status: 200,
  });
});

test("a field that is not on the allow-list never reaches a line", () => {
  const smuggled = { requestId: "req_1", token: "profct_secret", body: "canary" } as LogFields;
  const [line = ""] = linesOf((log) => log.warn("answered", smuggled));
  expect(line).toContain("req_1");
  expect(line).not.toMatch(/profct_secret|canary/);
});

test("an error is told by name, code and place, never by the values that its message quotes", () => {
  const cause = Object.assign(new Error('Key (email)=("alice@example.com") exists'), {
    code: "23505",
    detail: "canary",
  });
  const error = new Error("canary in the message", { cause });
  const [line = ""] = linesOf((log) => log.error("failed", { error }));
  expect(line).not.toMatch(/canary|alice/);
  expect(JSON.parse(line).error).toMatchObject({
    name: "Error",
    at: expect.arrayContaining([expect.stringContaining("log.test.ts")]),
    cause: { code: "23505" },
  });
});

test("line breaks in a message stay inside the one line", () => {
  const lines = linesOf((log) => log.info(notFound("a\nb\r\nc").message));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
});

test("a process whose output nobody reads any more goes on, and no error of it is uncaught", async () => {
  const child = spawn(
    process.execPath,
    ["server/run.mjs", "tests/support/second-process/unread-output.ts"],
    { stdio: ["ignore", "pipe", "pipe", "ipc"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  for (const stream of [child.stdout, child.stderr]) {
    stream?.destroy();
    if (stream !== null) await once(stream, "close");
  }
  child.send("write");
  const [[report], [code]] = await Promise.all([once(child, "message"), once(child, "exit")]);
  expect([report, code]).toEqual([{ uncaught: 0 }, 0]);
});
