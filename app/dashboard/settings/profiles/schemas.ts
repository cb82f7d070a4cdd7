import { z } from "zod";
import { Handle, PersonName } from "@/app/(auth)/schemas";
import { templateNames } from "@/lib/rules/templates";

export const NewProfileForm = z.object({
  handle: Handle,
  name: PersonName,
  template: z.enum(templateNames),
});
