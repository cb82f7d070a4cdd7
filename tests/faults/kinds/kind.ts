import type { Random } from "../../fuzz/random";
import type { App } from "../apps";
import type { Disk } from "../disk";
import type { Cluster } from "../testing/cluster";
import type { Relay } from "./relay";

/** All that can be broken. */
export interface Rig {
  apps: readonly App[];
  cluster: Cluster;
  relay: Relay;
  redis: Redis;
  /** Null where no disk could be made that may be filled. */
  disk: Disk | null;
  random: Random;
  /** How many connections are slow on purpose. */
  slow: number;
}

/** Of the bridge to it. */
export interface Redis {
  kill(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  hang(): void;
  resume(): void;
}

/** What clients may meet while a fault lasts, and for five seconds after. */
export type Excuse =
  /** 503, with Retry-After and the envelope. */
  | "unavailable"
  /** No answer from a gateway while it was down; `App.downs` says when that was. */
  | "down"
  /** No answer from either gateway. */
  | "unanswered"
  | "none";

export interface Kind {
  name: string;
  excuse: Excuse;
  /** Breaks it and mends it again; done when it answers again. Says what is worth telling. */
  inject(rig: Rig): Promise<string | undefined>;
}
