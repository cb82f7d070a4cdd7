/** How many of something are open at once, in all and for one user. */
export interface SlotsMax {
  all: number;
  perUser: number;
}

/** Returns what gives the slot back, however often it is called; null if there is none left. */
export type TakeSlot = (userId: string) => (() => void) | null;

export function createSlots({ all, perUser }: SlotsMax): TakeSlot {
  const taken = new Map<string, number>();
  let sum = 0;
  return (userId) => {
    const own = taken.get(userId) ?? 0;
    if (sum >= all || own >= perUser) return null;
    taken.set(userId, own + 1);
    sum += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      sum -= 1;
      const left = (taken.get(userId) ?? 1) - 1;
      if (left === 0) taken.delete(userId);
      else taken.set(userId, left);
    };
  };
}
