import { adminApi, ownerApi } from "@/lib/http/api/tables";
import type { DocsName } from "../_parts/docs-pages";
import { endpointSections } from "./endpoints";
import { errorSections } from "./errors";
import { exportSections } from "./export";
import type { GeneratedSection } from "./generated-section";
import { sessionSections } from "./session-api";

const sections: Partial<Record<DocsName, () => GeneratedSection[]>> = {
  endpoints: endpointSections,
  errors: errorSections,
  export: exportSections,
  "dashboard-api": () => sessionSections(ownerApi),
  "admin-api": () => sessionSections(adminApi),
};

/** Returns the sections that follow those of the page's file. */
export function generatedSections(name: DocsName): GeneratedSection[] {
  return sections[name]?.() ?? [];
}
