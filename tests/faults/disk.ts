import { execFile } from "node:child_process";
import { mkdir, open, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A disk in memory, small enough to be filled to the last byte. */
export interface Disk {
  folder: string;
  /** Takes what is free by now. */
  fill(): Promise<void>;
  free(): Promise<void>;
  unmount(): Promise<void>;
}

const pieceBytes = 4 * 1_024 * 1_024;

/** Says why where this machine or this user may not have one. */
export async function mountDisk(folder: string, megabytes: number): Promise<Disk | string> {
  await mkdir(folder);
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", folder]);
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
  const ballast = path.join(folder, "ballast");
  return {
    folder,
    async fill() {
      const file = await open(ballast, "a");
      try {
        for (let size = pieceBytes; size >= 512; ) {
          const { bytesWritten } = await file.write(Buffer.alloc(size)).catch(full);
          if (bytesWritten < size) size = Math.floor(size / 2);
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
    unmount: async () => void (await run("umount", ["-l", folder])),
  };
}

function full(error: unknown): { bytesWritten: number } {
  if (error instanceof Error && "code" in error && error.code === "ENOSPC") {
    return { bytesWritten: 0 };
  }
  throw error;
}
