/** Names of the form's fields: what is ticked carries its value in its name, so that each is kept. */
export const prefixes = {
  allow: "allow:",
  deny: "deny:",
  may: "may:",
  purpose: "purpose:",
} as const;

export const whoChoices = ["all", "verified", "one", "pattern"] as const;
export type WhoChoice = (typeof whoChoices)[number];

export type Values = Readonly<Record<string, string>>;

/** A box that can be ticked. */
export interface Choice {
  value: string;
  title: string;
  note?: string;
  sensitive?: boolean;
}
