import type { knownLegalBases, knownPurposeTypes, knownRetentions } from "@/lib/protocol/resources";

// Protocol 6: open vocabularies. What is not one of the known words is shown as sent, and marked.

export interface Word {
  text: string;
  note: string | null;
  recognised: boolean;
}

type Known<K extends string> = Record<K, { text: string; note: string | null }>;

const types: Known<(typeof knownPurposeTypes)[number]> = {
  personalization: { text: "Personalization", note: "adapt what it does to you" },
  recommendation: { text: "Recommendation", note: "suggest things to you" },
  context_enrichment: { text: "Context", note: "understand what you ask of it" },
  analysis: { text: "Analysis", note: "find patterns in what it reads" },
  communication: { text: "Communication", note: "write or speak with you or for you" },
  service_delivery: { text: "Service delivery", note: "do what you asked it to do" },
  support: { text: "Support", note: "help you with a problem" },
  research: { text: "Research", note: "study what it reads" },
  legal_compliance: { text: "Legal compliance", note: "meet a duty under law" },
  other: { text: "Something else", note: null },
};

const legalBases: Known<(typeof knownLegalBases)[number]> = {
  consent: { text: "Your consent", note: null },
  contract: { text: "A contract with you", note: null },
  legal_obligation: { text: "A legal obligation", note: null },
  vital_interests: { text: "Vital interests", note: null },
  public_task: { text: "A public task", note: null },
  legitimate_interests: { text: "Its legitimate interests", note: null },
};

const retentions: Known<(typeof knownRetentions)[number]> = {
  session_only: { text: "For this session only", note: null },
  "24h": { text: "For 24 hours", note: null },
  "7d": { text: "For 7 days", note: null },
  "30d": { text: "For 30 days", note: null },
  "1y": { text: "For a year", note: null },
  indefinite: { text: "Without an end", note: null },
};

export function purposeWord(type: string): Word {
  return wordIn(types, type);
}

/** "service delivery"; a purpose that the protocol has no word for is quoted, as the agent's own. */
export function purposeWords(type: string): string {
  const { text, recognised } = purposeWord(type);
  return recognised ? text.toLowerCase() : `“${text}”`;
}

export function legalBasisWord(basis: string): Word {
  return wordIn(legalBases, basis);
}

export function retentionWord(retention: string): Word {
  return wordIn(retentions, retention);
}

function wordIn(words: Known<string>, raw: string): Word {
  const word = Object.hasOwn(words, raw) ? words[raw] : undefined;
  return word === undefined
    ? { text: raw, note: null, recognised: false }
    : { ...word, recognised: true };
}
