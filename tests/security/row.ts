import { type Credential, type Draft, draft, profilePath, type World } from "../fuzz/message";

/** What is sent, how, and what must come back: the HTTP status and, of a failure, the code. */
export type Row = readonly [title: string, sent: (world: World) => Draft, answer: string];

/** Rows of one kind, whose titles are read after these words. */
export function titled(kind: string, rows: readonly Row[]): Row[] {
  return rows.map(([title, sent, answer]) => [`${kind} ${title}`, sent, answer]);
}

/** A good request of the agent's. */
export function get(more: Partial<Draft> = {}) {
  return (world: World): Draft => {
    const target = profilePath(world, "/memories?limit=1");
    return draft("abuse", { target, once: true, ...more });
  };
}

/** The same with something wrong in how it says who it is. */
export function by(credential: Partial<Credential>, more: Partial<Draft> = {}) {
  return get({ credential, ...more });
}

/** With this header in the place of the good one. */
export function header(change: Credential["header"], more: Partial<Draft> = {}) {
  return by({ header: change }, more);
}

export function token(change: (header: string) => string) {
  return header(change, { caller: "token" });
}

/** Signed as it stands, for a target of the profile's. */
export function to(rest: string, more: Partial<Draft> = {}) {
  return (world: World) => get({ target: profilePath(world, rest), ...more })(world);
}

/** Signed for a good target, with another one in the request line. */
export function sentTo(change: (target: string, world: World) => string, signed = "/memories") {
  return (world: World): Draft => {
    const target = profilePath(world, signed);
    const changed = change(target, world);
    return get({ target, spoil: (bytes) => replaced(bytes, ` ${target} `, ` ${changed} `) })(world);
  };
}

/** A proposal with these bytes for a body, signed as they are. */
export function propose(body: string | Buffer, more: Partial<Draft> = {}) {
  return (world: World) =>
    get({
      method: "POST",
      target: profilePath(world, "/memories/propose"),
      body: Buffer.from(body),
      ...more,
    })(world);
}

/** The first of these bytes in the place of those; every character is one byte. */
export function replaced(bytes: Buffer, from: string, by: string): Buffer {
  return Buffer.from(
    bytes.toString("latin1").replace(from, () => by),
    "latin1",
  );
}

/** As it goes over the wire in UTF-8, written in characters of one byte. */
export function utf8(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
