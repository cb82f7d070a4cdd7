import { jsonOf } from "./judge";
import type { World } from "./message";
import type { Answer } from "./wire";

/** Everything that answers said was stored. Whatever else turns up was stored for a refusal. */
export interface Acknowledged {
  proposals: Set<string>;
  decided: Set<string>;
  memories: Set<string>;
  receipts: Set<string>;
  consentRequests: Set<string>;
  /** Of receipts that also denied: for what was denied, the owner may be asked without a word. */
  purposes: Set<string>;
  /** Requests that may have used up a nonce: all but those whose credential failed. */
  admitted: number;
}

export function nothingAcknowledged(): Acknowledged {
  return {
    proposals: new Set(),
    decided: new Set(),
    memories: new Set(),
    receipts: new Set(),
    consentRequests: new Set(),
    purposes: new Set(),
    admitted: 0,
  };
}

export function listenTo(acknowledged: Acknowledged, world: World, { status, body }: Answer): void {
  if (status !== 401) acknowledged.admitted += 1;
  const text = body.toString("utf8");
  if (!/"(proposalId|receiptId|consentRequestId)"/.test(text)) return;
  const json = jsonOf(text);
  const data = member(json, "data");
  const request = member(member(member(json, "error"), "details"), "consentRequestId");
  if (typeof request === "string") acknowledged.consentRequests.add(request);
  const [receiptId, memoryId] = [member(data, "receiptId"), member(data, "memoryId")];
  if (typeof receiptId === "string") {
    acknowledged.receipts.add(receiptId);
    const isPartial = member(member(data, "deniedScopes"), "0") !== undefined;
    if (isPartial) acknowledged.purposes.add(String(member(member(data, "purpose"), "type")));
  }
  if (typeof memoryId === "string") acknowledged.memories.add(memoryId);
  const proposalId = member(data, "proposalId");
  if (typeof proposalId !== "string") return;
  if (member(data, "status") === "pending") {
    if (!acknowledged.proposals.has(proposalId)) world.pending.push(proposalId);
    acknowledged.proposals.add(proposalId);
  } else {
    acknowledged.decided.add(proposalId);
    world.pending.splice(world.pending.indexOf(proposalId) >>> 0, 1);
  }
}

export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
