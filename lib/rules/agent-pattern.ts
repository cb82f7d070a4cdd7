import { type Did, parseDid } from "@/lib/protocol/did";

// Protocol 5: a DID of an agent, with `*` for any run of characters within namespace or name.
const grammar = /^did:prof:agent:([A-Za-z0-9._*-]{1,64}):([A-Za-z0-9._*-]{1,64})$/;

/** Whether no agent there could be falls outside of it. */
export function reachesEveryAgent(pattern: string): boolean {
  return /^did:prof:agent:\*+:\*+$/.test(pattern) && isAgentPattern(pattern);
}

export function isAgentPattern(text: string): boolean {
  return grammar.test(text);
}

/** An invalid pattern matches nobody. */
export function matchesAgent(pattern: string, did: Did): boolean {
  // The usual case: a rule for one agent, and mostly another one's.
  if (!pattern.includes("*")) return pattern === did && isAgentPattern(pattern);
  const [, namespace, name] = grammar.exec(pattern) ?? [];
  const agent = parseDid(did);
  if (namespace === undefined || name === undefined || agent?.kind !== "agent") return false;
  return matchesGlob(namespace, agent.namespace) && matchesGlob(name, agent.name);
}

// Each piece is taken where it first fits and never given back, so no pattern can make this slow.
function matchesGlob(glob: string, text: string): boolean {
  const [head = "", ...pieces] = glob.split("*");
  const tail = pieces.pop();
  if (tail === undefined) return text === head;
  const end = text.length - tail.length;
  if (end < head.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  let from = head.length;
  for (const piece of pieces) {
    const at = text.indexOf(piece, from);
    if (at < 0 || at + piece.length > end) return false;
    from = at + piece.length;
  }
  return true;
}
