import type { Metadata } from "next";
import Link from "next/link";
import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import type { SessionEndpoint } from "@/lib/http/session/endpoints/endpoint";
import { Mono } from "../_parts/code";
import { Page, Section } from "../_parts/page";
import { EndpointList } from "../dashboard-api/endpoint-list";
import { SessionEntry } from "../dashboard-api/session-entry";

export const metadata: Metadata = { title: "Admin API" };

const all: readonly SessionEndpoint[] = Object.values(adminEndpoints);

export default function AdminApiPage() {
  return (
    <Page
      title="Admin API"
      lead="What the admin pages do, for a script of an admin's. It is not part of the protocol. No endpoint tells what a profile holds: counts and states are all that admins see."
    >
      <EndpointList endpoints={all} />
      <Section id="rules" title="What holds for all of them">
        <ul className="flex max-w-prose list-disc flex-col gap-2 pl-5">
          <li>
            Signing in, envelopes, pages and limits are those of the{" "}
            <Link
              href="/docs/dashboard-api"
              className="text-accent-strong underline underline-offset-4"
            >
              dashboard API
            </Link>
            .
          </li>
          <li>
            Without a session it is 401 PROF001. For who is no admin it is 403 PROF002, from the
            request on that follows the change of the role.
          </li>
          <li>
            What lasts needs a session that signed in or confirmed its password in the last ten
            minutes, as the dashboard API says. Suspending, refusing, withdrawing and demoting do
            not.
          </li>
          <li>
            What changes something leaves a line in the admin activity, with <Mono>before</Mono> and{" "}
            <Mono>after</Mono>. What is done to an account or a profile stands in its owner's log
            too.
          </li>
        </ul>
      </Section>
      {all.map((endpoint) => (
        <SessionEntry key={endpoint.name} endpoint={endpoint} />
      ))}
    </Page>
  );
}
