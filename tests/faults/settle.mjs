// Loaded into the measured gateway: SIGUSR2 has it give back what nothing holds, as where memory runs out.
// Half-empty pages are joined, too: what is left is what it needs.
import { Session } from "node:inspector/promises";

const session = new Session();
session.connect();

process.on("SIGUSR2", () => session.post("HeapProfiler.collectGarbage"));
