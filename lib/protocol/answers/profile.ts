import { z } from "zod";
import { Did } from "../did";
import { flagNames } from "../flags";
import { Confidence, Timestamp } from "../resources";
import { Category } from "../scope";

export const FlagName = z.enum(flagNames);

export const Memory = z
  .object({
    id: z.string().meta({ description: "mem_<id>", examples: ["mem_5kQx0ZbT3nVfW8yLr2HcAd"] }),
    content: z.string().describe("Text of the memory."),
    confidence: Confidence,
    category: Category,
    createdAt: Timestamp,
    source: z
      .enum(["owner", "agent", "imported"])
      .describe("Whose words they are: its owner's, an agent's, or of an archive from elsewhere."),
    approvedBy: z.enum(["owner", "rule", "reviewer"]).describe("Who let it become a memory."),
    approvedAt: Timestamp,
    flags: z
      .array(FlagName)
      .describe(
        "What the gateway noticed in it when it was approved or edited last. None means that nothing was noticed, not that it can be trusted.",
      ),
    supersedes: z
      .object({ memoryId: z.string(), validFrom: Timestamp, validTo: Timestamp })
      .nullable()
      .describe("The memory that this one took the place of, which is not shown any more."),
  })
  .describe("One memory record.");
export type Memory = z.output<typeof Memory>;

export const MemoriesByCategory = z
  .record(z.string(), z.union([z.array(Memory), z.record(z.string(), z.unknown())]))
  .meta({
    description:
      "Keyed by category: an array of memory records, or an object of named values, which carries any records of that category under its member `memories`.",
    examples: [{ "prof:professional": { occupation: "engineer", skills: ["sql"] } }],
  });
export type MemoriesByCategory = z.output<typeof MemoriesByCategory>;

export const ProfileType = z.enum(["human", "agent", "entity"]);
export type ProfileType = z.output<typeof ProfileType>;

export const Profile = z
  .object({
    id: Did.describe("DID of the user whose profile this is."),
    profileType: ProfileType,
    version: z.string().meta({ description: "Profile format version.", examples: ["1.0"] }),
    common: z
      .looseObject({ preferences: z.record(z.string(), z.unknown()) })
      .describe("Each member is governed by the scope of its name."),
    memories: MemoriesByCategory,
  })
  .describe("A profile, as far as the owner's policies show it to the caller.");
export type Profile = z.output<typeof Profile>;
