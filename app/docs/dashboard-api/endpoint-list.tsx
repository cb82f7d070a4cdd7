import type { ApiEndpoint } from "@/lib/http/api/endpoint";

export function EndpointList({ endpoints }: { endpoints: Record<string, ApiEndpoint> }) {
  return (
    <nav aria-label="Endpoints on this page" className="mt-6">
      <ul className="flex flex-col gap-1">
        {Object.entries(endpoints).map(([name, { method, path }]) => (
          <li key={name}>
            <a
              href={`#${name}`}
              className="flex flex-wrap items-baseline gap-x-2 rounded-box py-1 font-mono text-[13px] hover:text-accent"
            >
              <span className="w-14 text-muted">{method}</span>
              <span className="min-w-0 [overflow-wrap:anywhere]">{path}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
