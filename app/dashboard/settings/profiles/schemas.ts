import { z } from "zod";
import { Handle, PersonName } from "@/app/(auth)/schemas";
import { type TemplateName, templates } from "@/lib/rules/templates";

const names = Object.keys(templates) as [TemplateName, ...TemplateName[]];

export const NewProfileForm = z.object({
  handle: Handle,
  name: PersonName,
  template: z.enum(names),
});
