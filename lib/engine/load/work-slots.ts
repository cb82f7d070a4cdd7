import { AsyncLocalStorage } from "node:async_hooks";

/** Starts work in turn, so that no peer takes a shared resource for itself. */
export interface WorkSlots {
  /**
   * Begins the work once the peer has a slot, or refuses it if too many wait. Returns a function that leaves
   * the queue.
   */
  take(peer: string | null, work: Work): () => void;
}

export interface Work {
  /** Starts before ordinary work of other peers, except for every fifth start. */
  isFirst?: boolean;
  /** Called with the function that frees the slot. */
  begin: (release: () => void) => void;
  refuse: () => void;
}

export interface WorkSlotsSettings {
  underWayMax: number;
  underWayMaxPerPeer: number;
  waitingMaxPerPeer?: number;
}

const waitingMax = 256;
const firstInRowMax = 4;

interface Peer {
  underWay: number;
  waiting: Set<Work>;
}

/** Peers that wait take turns, and the requests of each start in the order in which they came. */
export function createWorkSlots({
  underWayMax,
  underWayMaxPerPeer,
  waitingMaxPerPeer = 64,
}: WorkSlotsSettings): WorkSlots {
  // Peers by name; null are those that cannot be told apart. The longest unserved one is first.
  const peers = new Map<string | null, Peer>();
  let underWay = 0;
  let waiting = 0;
  let firstInRow = 0;

  function peerNamed(name: string | null): Peer {
    const known = peers.get(name) ?? { underWay: 0, waiting: new Set() };
    peers.set(name, known);
    return known;
  }

  function forgetIdle(name: string | null, peer: Peer): void {
    if (peer.underWay + peer.waiting.size === 0) peers.delete(name);
  }

  function startWaiting(): void {
    while (underWay < underWayMax) {
      const next = nextWaiting();
      if (next === undefined) return;
      const { name, peer, work } = next;
      firstInRow = work.isFirst ? firstInRow + 1 : 0;
      peer.waiting.delete(work);
      waiting--;
      // Behind all others.
      peers.delete(name);
      peers.set(name, peer);
      start(name, peer, work);
    }
  }

  // Every fifth start goes to others, so that priority work does not block them for good.
  function nextWaiting(): { name: string | null; peer: Peer; work: Work } | undefined {
    const wantsFirst = firstInRow < firstInRowMax;
    let other: { name: string | null; peer: Peer; work: Work } | undefined;
    for (const [name, peer] of peers) {
      const [work] = peer.waiting;
      const isFull = name !== null && peer.underWay >= underWayMaxPerPeer;
      if (work === undefined || isFull) continue;
      const next = { name, peer, work };
      if ((work.isFirst === true) === wantsFirst) return next;
      other ??= next;
    }
    return other;
  }

  // The queue is full: drops the newest request of the peer that has most waiting.
  function makeRoom(): void {
    let crowd: Peer | undefined;
    for (const peer of peers.values()) {
      if (crowd === undefined || peer.waiting.size > crowd.waiting.size) crowd = peer;
    }
    const last = [...(crowd?.waiting ?? [])].at(-1);
    if (crowd === undefined || last === undefined) return;
    crowd.waiting.delete(last);
    waiting--;
    last.refuse();
  }

  function start(name: string | null, peer: Peer, { begin }: Work): void {
    underWay++;
    peer.underWay++;
    let isHeld = true;
    begin(() => {
      if (!isHeld) return;
      isHeld = false;
      underWay--;
      peer.underWay--;
      forgetIdle(name, peer);
      startWaiting();
    });
  }

  return {
    take(name, work) {
      const peer = peerNamed(name);
      if (name !== null && peer.waiting.size >= waitingMaxPerPeer) {
        work.refuse();
        return () => {};
      }
      peer.waiting.add(work);
      waiting++;
      startWaiting();
      if (waiting > waitingMax) makeRoom();
      return () => {
        if (!peer.waiting.delete(work)) return;
        waiting--;
        forgetIdle(name, peer);
      };
    },
  };
}

// Next.js bundles this module separately; the process has one store.
const slot = Symbol.for("profile-access-gateway.place");
const shared = globalThis as typeof globalThis & { [slot]?: AsyncLocalStorage<() => void> };
shared[slot] ??= new AsyncLocalStorage();
const places = shared[slot];

/** Runs a request's work; `leaveSlot` inside it frees the slot early. */
export function holdingSlot<T>(release: () => void, work: () => Promise<T>): Promise<T> {
  return places.run(release, work);
}

/** Frees the slot of the current request before it waits for something other than the thread. */
export function leaveSlot(): void {
  places.getStore()?.();
}
