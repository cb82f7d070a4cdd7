import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, type SignedRequest } from "@/lib/protocol/client";
import { randomNonce } from "@/lib/protocol/signature";
import { type Random, randomOf } from "../fuzz/random";
import { type Call, clock, type Intent, type Outcome, openLedger, type Result } from "./ledger";
import { type Heard, type Outgoing, openLine } from "./wire";
import { type Board, baseUrl, canaryPattern, type Person, type Signer, type World } from "./world";

export interface Stage {
  world: World;
  board: Board;
  folder: string;
  seed: number;
  /** Of the gateways. */
  ports: readonly number[];
  /** Whether clients shall go on. */
  goesOn(): boolean;
  /** Resolves once a turn may begin. */
  mayAsk(): Promise<void>;
}

export type Meant = Omit<Intent, "id" | "at" | "app"> & { app?: number };
/** What the call was answered with, as JSON and as text. */
export type Done = Call & { acknowledged: Acknowledged; body: string };

/** One of those who use the gateways, with a ledger and chances of its own. */
export interface Client extends Stage {
  name: string;
  random: Random;
  ask(meant: Meant, outgoing: Outgoing, judge?: (heard: Heard) => Result): Promise<Done>;
  /** Signed once: it can be sent again, and to either gateway. */
  sign(signer: Signer, method: string, target: string, body?: object): Promise<Signed>;
  signedIn(person: Person, method: string, target: string, body?: object): Outgoing;
  rest(): Promise<void>;
}

export interface Signed {
  nonce: string;
  signed: SignedRequest;
  outgoing: Outgoing;
}

export async function runClient(
  stage: Stage,
  name: string,
  turn: (client: Client) => Promise<void>,
): Promise<void> {
  const random = randomOf(stage.seed, hashOf(name));
  const ledger = openLedger(stage.folder, name);
  const line = openLine();
  let count = 0;
  const client: Client = {
    ...stage,
    name,
    random,
    async ask({ app = random.below(stage.ports.length), ...meant }, outgoing, judge = judgement) {
      const id = `${name}-${++count}`;
      const intent: Intent = { id, at: clock(), app, ...meant };
      ledger.intend(intent);
      const heard = await line.ask(stage.ports[app] ?? 0, outgoing);
      const acknowledged = acknowledgedIn(heard);
      const outcome = outcomeOf(id, { heard, acknowledged, judge, target: outgoing.target });
      ledger.settle(outcome);
      return { ...intent, outcome, acknowledged, body: heard?.body ?? "" };
    },
    sign: signRequest,
    signedIn,
    rest: () => delay(20 + random.below(80)),
  };
  try {
    for (;;) {
      await stage.mayAsk();
      if (!stage.goesOn()) break;
      await turn(client);
    }
  } finally {
    line.close();
    ledger.close();
  }
}

function hashOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
}

async function signRequest(signer: Signer, method: string, target: string, body?: object) {
  const { did, privateKey } = signer;
  const nonce = randomNonce();
  const client = createClient({ did, privateKey, baseUrl });
  const text = body === undefined ? undefined : JSON.stringify(body);
  const signed = await client.signedRequest({ method, target, body: text, nonce });
  return { nonce, signed, outgoing: outgoingOf(signed) };
}

export function outgoingOf({ method, url, headers, body }: SignedRequest): Outgoing {
  const { pathname, search } = new URL(url);
  return { method, target: pathname + search, headers, body };
}

function signedIn({ cookie }: Person, method: string, target: string, body?: object): Outgoing {
  const headers = { Cookie: cookie, "Content-Type": "application/json" };
  return { method, target, headers, body: body === undefined ? undefined : JSON.stringify(body) };
}

/** What answers tell, of all endpoints together. */
export interface Acknowledged {
  success?: boolean;
  data?: {
    id?: string;
    token?: string;
    proposalId?: string;
    memoryId?: string;
    keys?: { id: string; revokedAt: string | null }[];
  };
  error?: { code?: string; details?: { consentRequestId?: string } };
  meta?: { requestId?: string; timestamp?: string };
}

export function acknowledgedIn(heard: Heard | null): Acknowledged {
  const isJson = heard?.headers["content-type"]?.startsWith("application/json") ?? false;
  return heard !== null && isJson ? JSON.parse(heard.body) : {};
}

export function judgement({ status }: Heard): Result {
  if (status >= 500) return "unknown";
  return status < 300 ? "acknowledged" : "refused";
}

interface Answered {
  heard: Heard | null;
  acknowledged: Acknowledged;
  judge: (heard: Heard) => Result;
  target: string;
}

/** What the ledger keeps of an answer. */
export function outcomeOf(id: string, { heard, acknowledged, judge, target }: Answered): Outcome {
  const at = clock();
  const isPage = target.startsWith("/dashboard");
  const { proposalId, memoryId } = acknowledged.data ?? {};
  if (heard === null) {
    const nothing = { status: null, code: null, wellRefused: false, canaries: [] };
    return { id, at, result: "unknown", ...nothing };
  }
  const { status, headers, body } = heard;
  const seconds = Number(headers["retry-after"]);
  return {
    id,
    at,
    result: judge(heard),
    status,
    code: acknowledged.error?.code ?? null,
    // A page is for people: it has no envelope.
    wellRefused: seconds > 0 && (isPage || isEnvelope(acknowledged)),
    canaries: [...new Set(body.match(canaryPattern))],
    proposalId,
    memoryId,
    states: statesIn(acknowledged.data),
  };
}

function isEnvelope({ success, error, meta }: Acknowledged): boolean {
  const isWhole = meta?.requestId !== undefined && meta.timestamp !== undefined;
  return success === false && error?.code === "PROF503" && isWhole;
}

function statesIn(data: unknown): Record<string, string> | undefined {
  if (!Array.isArray(data)) return undefined;
  const listed = data.flatMap((item: { id?: unknown; status?: unknown }) =>
    typeof item.id === "string" && typeof item.status === "string" ? [[item.id, item.status]] : [],
  );
  return listed.length === 0 ? undefined : Object.fromEntries(listed);
}

export function marker(kind: "said" | "canary"): string {
  return `${kind}-${randomBytes(8).toString("hex")}`;
}

export function profileTarget(did: string, rest = ""): string {
  return `/prof/v1/profile/${encodeURIComponent(did)}${rest}`;
}
