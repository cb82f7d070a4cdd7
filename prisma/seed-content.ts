import type { MemorySource } from "@/lib/engine/prisma-client/enums";

// The demo's people, agents and texts. Plain data for seed.ts.

export const aliceCommon = {
  identity: { displayName: "Alice", pronouns: "she/her" },
  preferences: {
    language: "en",
    units: "metric",
    travel: { seat: "window", pace: "slow" },
    food: { diet: "vegetarian", spicy: true },
  },
};

export const aliceValues = [
  { category: "prof:professional", name: "occupation", value: "Landscape architect" },
  { category: "prof:professional", name: "skills", value: ["planting design", "CAD", "Spanish"] },
  { category: "prof:professional", name: "yearsOfExperience", value: 11 },
  { category: "prof:interests", name: "favourites", value: ["botanical gardens", "ceramics"] },
  { category: "prof:health", name: "allergies", value: ["penicillin"] },
];

export interface SeedMemory {
  category: string;
  content: string;
  confidence: number;
  source: MemorySource;
  daysAgo: number;
}

export const aliceMemories: readonly SeedMemory[] = [
  memory("prof:episodic", "Spent three weeks walking in Galicia.", 0.98, 41),
  memory("prof:episodic", "Moved to the house with the walled garden.", 1, 400),
  memory("prof:episodic", "Planted the first fig tree.", 0.9, 120),
  memory("prof:interests", "Reads about the history of public parks.", 0.9, 60),
  memory("prof:interests", "Throws pots on Thursday evenings.", 0.95, 33),
  memory("prof:interests.music", "Listens to fado while drawing.", 0.7, 18),
  memory(
    "prof:preferences.travel",
    "Takes the train wherever it takes less than ten hours.",
    0.9,
    75,
  ),
  memory("prof:preferences.travel", "Wants a desk with daylight in every room she rents.", 0.8, 12),
  memory("prof:professional", "Is leading the renewal of the harbour promenade.", 0.95, 20),
  memory("prof:professional.preferences", "Prefers written briefs to calls.", 0.85, 52),
  memory("prof:health", "Sees a physiotherapist for her left knee.", 0.9, 30),
  memory("prof:financial", "Is saving for a second kiln.", 0.6, 25),
  memory("prof:relationships", "Her sister visits every May.", 0.9, 90),
  { ...memory("prof:interests", "Keeps a list of gardens to see.", 0.75, 200), source: "imported" },
];

export interface SeedAgent {
  handle: string;
  name: string;
  description: string;
  operator: string;
  verified: boolean;
}

export const agents = {
  iris: {
    handle: "iris",
    name: "Iris",
    description: "A personal assistant that plans days and drafts messages.",
    operator: "Iris Assistants",
    verified: true,
  },
  atlas: {
    handle: "atlas",
    name: "Atlas",
    description: "Finds journeys and places to stay.",
    operator: "Atlas Travel",
    verified: false,
  },
  nova: {
    handle: "nova",
    name: "Nova",
    description: "Recommends books and exhibitions.",
    operator: "Nova Reading",
    verified: false,
  },
} as const satisfies Record<string, SeedAgent>;
export type AgentName = keyof typeof agents;

export interface SeedProposal {
  agent: AgentName;
  daysAgo: number;
  category: string;
  content: string;
  confidence: number;
  context?: string;
  /** Absent: it waits. One that is older than its life has expired. */
  review?: { action: "approve"; editedContent?: string } | { action: "reject"; reason?: string };
}

export const proposals: readonly SeedProposal[] = [
  {
    agent: "iris",
    daysAgo: 0.1,
    category: "prof:preferences.travel",
    content: "Prefers window seats on long train journeys.",
    confidence: 0.92,
    context: "Chosen on the last three bookings.",
  },
  {
    agent: "iris",
    daysAgo: 1.2,
    category: "prof:interests",
    content: "Is curious about Japanese moss gardens.",
    confidence: 0.74,
    context: "Asked about them twice this week.",
  },
  {
    agent: "nova",
    daysAgo: 2,
    category: "prof:interests.books",
    content: "Likes novels in which a place is the main character.",
    confidence: 0.66,
    context: "Four of the last five books she finished are of that kind.",
  },
  {
    agent: "atlas",
    daysAgo: 5,
    category: "prof:preferences.travel",
    content: "Would rather change trains than fly.",
    confidence: 0.88,
    context: "Picked the longer journey by train both times.",
    review: { action: "approve" },
  },
  {
    agent: "iris",
    daysAgo: 6,
    category: "prof:professional",
    content: "Works from the site office on Mondays.",
    confidence: 0.7,
    context: "Calendar entries of the past month.",
    review: { action: "approve", editedContent: "Works from the site office on most Mondays." },
  },
  {
    agent: "nova",
    daysAgo: 6.5,
    category: "prof:interests",
    content: "Enjoys horror films.",
    confidence: 0.4,
    context: "One was watched on the shared account.",
    review: { action: "reject", reason: "That was my sister." },
  },
  {
    agent: "atlas",
    daysAgo: 9,
    category: "prof:preferences.travel",
    content: "Needs a car park near the hotel.",
    confidence: 0.5,
  },
];

function memory(
  category: string,
  content: string,
  confidence: number,
  daysAgo: number,
): SeedMemory {
  return { category, content, confidence, source: "owner", daysAgo };
}
