import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { registerForm } from "./schemas";

/** The namespace is known when a form comes, not when this file is read. */
export const Registration = z.record(z.string(), z.string()).transform((typed, context) => {
  const parsed = registerForm(engine().settings.values().PROF_NAMESPACE).safeParse(typed);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) {
    context.addIssue({ code: "custom", path, message });
  }
  return z.NEVER;
});
