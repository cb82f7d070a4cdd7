import path from "node:path";
import { hashPassword } from "@/lib/auth/password";
import type { Engine } from "@/lib/engine/engine";
import { issueFirstAdminLink } from "@/lib/services/accounts/links";
import { contextOf } from "@/lib/services/context";
import { type Demo, seedDemo } from "@/prisma/seed";
import { StartRefused } from "./embedded-postgres/refusal";

/** Returns the link for the first admin; null once there is one. */
export async function firstAdminLink(engine: Engine, address: string): Promise<string | null> {
  const link = await issueFirstAdminLink(contextOf(engine, { kind: "gateway" }));
  return link === null ? null : `${address}/link/${link.token}`;
}

/** The people and agents of prisma/seed.ts, into an empty database only. */
export async function fillWithDemo(engine: Engine, address: string): Promise<Demo> {
  const folder = path.resolve(engine.env.DATA_FOLDER, "demo");
  return seedDemo({ engine, address, folder, hashPassword });
}

/** Called before the gateway listens, so that a refusal interrupts nobody. */
export async function refuseOccupied({ db }: Engine): Promise<void> {
  if ((await db.user.count({ take: 1 })) === 0) return;
  throw new StartRefused(
    "--demo fills an empty database, and this one has users. Start without it, or with another DATA_FOLDER. A demo keeps its sign-ins in demo/demo.json there.",
  );
}
