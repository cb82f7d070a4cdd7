import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { baseUrl } from "../world";
import type { Kind, Rig } from "./kind";

const { host } = new URL(baseUrl);
const hangUps = 200;
// The gateway gives up on headers after 10 seconds and on bodies after 15; a busy machine is late.
const patienceMsMax = 40_000;
const openedAtOnce = 200;

export const clientKinds: Kind[] = [
  { name: "clients hang up in the body", excuse: "none", inject: hangUp },
  { name: "slow headers and bodies", excuse: "unanswered", inject: dawdle },
];

const head = (length: number) =>
  [
    "POST /prof/v1/profile/did:prof:user:local:owner-0/memories/propose HTTP/1.1",
    `Host: ${host}`,
    "Content-Type: application/json",
    `Content-Length: ${length}`,
    "",
    "",
  ].join("\r\n");

async function hangUp({ apps, random }: Rig): Promise<string> {
  for (let n = 0; n < hangUps; n++) {
    const socket = await opened(random.pick(apps).port);
    if (socket === null) continue;
    socket.write(`${head(1_000)}{"content": "`);
    await delay(random.below(20));
    if (random.chance(0.5)) socket.resetAndDestroy();
    else socket.destroy();
  }
  return `${hangUps} of them`;
}

/** Done when the gateways have cut all of them off; a gateway that does not is a violation. */
async function dawdle({ apps, slow }: Rig): Promise<string> {
  const count = Math.min(slow, (await descriptorsMax()) - 1_000);
  const open = new Set<Socket>();
  let atOnce = 0;
  for (let n = 0; n < count; n += openedAtOnce) {
    const some = Array.from({ length: Math.min(openedAtOnce, count - n) }, async (_, place) => {
      const socket = await opened(apps[place % apps.length]?.port ?? 0);
      if (socket === null) return;
      open.add(socket);
      atOnce = Math.max(atOnce, open.size);
      socket.on("close", () => open.delete(socket));
      socket.write(
        place % 4 < 2 ? `GET /prof/v1/profile HTTP/1.1\r\nHost: ${host}\r\nX-` : head(500),
      );
    });
    await Promise.all(some);
  }
  const deadline = Date.now() + patienceMsMax;
  while (open.size > 0 && Date.now() < deadline) {
    for (const socket of open) socket.write("a");
    await delay(1_000);
  }
  const left = open.size;
  for (const socket of open) socket.destroy();
  if (left > 0) throw new Error(`${left} slow connections were not cut off`);
  return `${count} connections, ${atOnce} at once`;
}

async function opened(port: number): Promise<Socket | null> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  socket.resume();
  try {
    await once(socket, "connect");
  } catch {
    return null;
  }
  socket.on("error", () => socket.destroy());
  return socket;
}

async function descriptorsMax(): Promise<number> {
  const limits = await readFile("/proc/self/limits", "utf8");
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
}
