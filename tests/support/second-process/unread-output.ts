import { setImmediate } from "node:timers/promises";
import { outliveReaders } from "@/lib/engine/log";

// A process of its own: once its parent reads no more, it writes on, and reports how many errors nothing caught.
// Like Next.js, it prints those.
const turns = 50;
let uncaught = 0;
process.on("uncaughtException", (error) => {
  uncaught++;
  process.stderr.write(String(error));
});
outliveReaders();

process.once("message", async () => {
  process.stdout.write("a line\n");
  process.stderr.write("a line\n");
  for (let turn = 0; turn < turns; turn++) await setImmediate();
  process.send?.({ uncaught }, () => process.disconnect());
});
process.send?.("ready");
