/** Starts work in turn, so that one peer cannot take what all of them share. */
export interface Places {
  /**
   * Calls `begin` once the peer has a place, with what gives it back. Returns what leaves the queue before
   * that, or null when too many wait.
   */
  take(peer: string | null, begin: Begin): (() => void) | null;
}

export type Begin = (release: () => void) => void;

export interface PlacesSettings {
  underWayMax: number;
  underWayMaxPerPeer: number;
}

const waitingMax = 256;
const waitingMaxPerPeer = 64;

interface Peer {
  underWay: number;
  waiting: Set<Begin>;
}

/** Peers that wait take turns, and the requests of each start in the order in which they came. */
export function createPlaces({ underWayMax, underWayMaxPerPeer }: PlacesSettings): Places {
  // By name; null are those that cannot be told apart. The longest unserved peer comes first.
  const peers = new Map<string | null, Peer>();
  let underWay = 0;
  let waiting = 0;

  function peerNamed(name: string | null): Peer {
    const known = peers.get(name) ?? { underWay: 0, waiting: new Set() };
    peers.set(name, known);
    return known;
  }

  function forgetIdle(name: string | null, peer: Peer): void {
    if (peer.underWay + peer.waiting.size === 0) peers.delete(name);
  }

  function startWaiting(): void {
    for (const [name, peer] of peers) {
      if (underWay >= underWayMax) return;
      const [begin] = peer.waiting;
      const isFull = name !== null && peer.underWay >= underWayMaxPerPeer;
      if (begin === undefined || isFull) continue;
      peer.waiting.delete(begin);
      waiting--;
      // Behind all others: this loop gets there again.
      peers.delete(name);
      peers.set(name, peer);
      start(name, peer, begin);
    }
  }

  function start(name: string | null, peer: Peer, begin: Begin): void {
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
    take(name, begin) {
      const peer = peerNamed(name);
      const isFull = name !== null && peer.waiting.size >= waitingMaxPerPeer;
      if (waiting >= waitingMax || isFull) {
        forgetIdle(name, peer);
        return null;
      }
      peer.waiting.add(begin);
      waiting++;
      startWaiting();
      return () => {
        if (!peer.waiting.delete(begin)) return;
        waiting--;
        forgetIdle(name, peer);
      };
    },
  };
}
