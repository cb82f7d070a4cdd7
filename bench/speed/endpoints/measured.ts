import type { Asking } from "../requests";
import type { World } from "../world";

/** Where it is asked: who is there, in which database, and what the gateway is called. */
export interface Place {
  world: World;
  databaseUrl: string;
  origin: string;
}

/** What is asked of an endpoint, and what of the floor it must reach. */
export interface Measured {
  name: string;
  line: string;
  target: number;
  askings(count: number, place: Place): Promise<Asking[]>;
}
