import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";

/** Limits how much work runs at a time. Peers take turns, so that none takes a shared resource for itself. */
export interface WorkSlots {
  /**
   * Calls `begin` once the peer has a slot, or `refuse` if too much work waits; both in the async context of the
   * caller, not of the work that ended. Returns a function that takes waiting work out of the queue.
   */
  take(peer: string | null, work: Work): () => void;
}

export interface Work {
  /** Starts before ordinary work of other peers, except at every fifth start. */
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

/** Creates slots for which waiting peers take turns. Work of one peer starts in the order in which it came. */
export function createWorkSlots({
  underWayMax,
  underWayMaxPerPeer,
  waitingMaxPerPeer = 64,
}: WorkSlotsSettings): WorkSlots {
  // In the order of their last start. Peers without a name share `null`, which has no limit per peer.
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
      // Moves the peer to the end of the map.
      peers.delete(name);
      peers.set(name, peer);
      start(name, peer, work);
    }
  }

  // Every fifth start goes to ordinary work, so that work with `isFirst` cannot block it forever.
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

  // The queue is full: refuses the newest work of the peers that have most waiting, never what starts next.
  function makeRoom(): void {
    const [name, peer] = [...peers].reduce((most, one) =>
      one[1].waiting.size >= most[1].waiting.size ? one : most,
    );
    const last = [...peer.waiting].at(-1);
    if (last === undefined) return;
    peer.waiting.delete(last);
    waiting--;
    forgetIdle(name, peer);
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
    take(name, wanted) {
      const [peer, work] = [peerNamed(name), inContextOfCaller(wanted)];
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

// Run in the context of another request, it would get what React caches for that request, such as its user.
function inContextOfCaller({ begin, refuse, isFirst }: Work): Work {
  return { begin: AsyncResource.bind(begin), refuse: AsyncResource.bind(refuse), isFirst };
}

// Next.js bundles a copy of this module for itself. Both copies use one store.
const slot = Symbol.for("profile-access-gateway.place");
const shared = globalThis as typeof globalThis & { [slot]?: AsyncLocalStorage<() => void> };
shared[slot] ??= new AsyncLocalStorage();
const places = shared[slot];

/** Runs a request's work. `leaveSlot` calls `release` early. */
export function holdingSlot<T>(release: () => void, work: () => Promise<T>): Promise<T> {
  return places.run(release, work);
}

/** Frees the slot of the current request. Call it before a wait that leaves the thread idle. */
export function leaveSlot(): void {
  places.getStore()?.();
}
