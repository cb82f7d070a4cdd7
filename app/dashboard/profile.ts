import { redirect } from "next/navigation";
import { pageContext } from "@/lib/http/page";
import type { Who } from "@/lib/services/accounts/sessions";
import type { Ctx } from "@/lib/services/context";

type Own = Who["profiles"][number];

/** The profile that the dashboard shows; an account without one lands where that is explained. */
export function profileOf({ profiles: [profile] }: Who): Own {
  if (profile === undefined) redirect("/dashboard");
  return profile;
}

export async function profileContext(): Promise<{ ctx: Ctx; profile: Own }> {
  const { ctx, who } = await pageContext();
  return { ctx, profile: profileOf(who) };
}

/** One value of a query parameter; more than one is none. */
export function single(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
