/** The pages of the documentation in the order of their menu: a file of `docs/` each, and its short title. */
export const docsPages = {
  index: "API reference",
  help: "Help for owners",
  connect: "Connect by the address",
  guide: "Guide",
  signing: "Signing a request",
  examples: "Examples",
  endpoints: "Endpoints",
  errors: "Errors",
  limits: "Limits and versions",
  tokens: "Connection tokens",
  agents: "Agents and keys",
  export: "Export and import",
  "dashboard-api": "Dashboard API",
  "admin-api": "Admin API",
  protocol: "Protocol rules",
  operations: "Operations",
  accessibility: "Accessibility",
} as const;

export type DocsName = keyof typeof docsPages;

export const docsNames = Object.keys(docsPages).filter(isDocsName);

export function isDocsName(name: string): name is DocsName {
  return Object.hasOwn(docsPages, name);
}

export function docsHref(name: DocsName): string {
  return name === "index" ? "/docs" : `/docs/${name}`;
}

/** The looks of a link in the menu. */
export const docsLink =
  "flex min-h-11 items-center rounded-control px-2.5 font-medium text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink rail:min-h-7.5";
