// Loaded into the measured gateway, with --expose-gc: SIGUSR2 has it give back what nothing holds.
process.on("SIGUSR2", () => {
  globalThis.gc();
  globalThis.gc();
});
