import type { Metadata } from "next";
import Link from "next/link";
import { adminApi } from "@/lib/http/api/tables";
import { Mono } from "../_parts/code";
import { Page, Section } from "../_parts/page";
import { EndpointList } from "../dashboard-api/endpoint-list";
import { SessionEntry } from "../dashboard-api/session-entry";

export const metadata: Metadata = { title: "Admin API" };

export default function AdminApiPage() {
  return (
    <Page
      title="Admin API"
      lead="The operations of the admin pages, for scripts. It is not part of the protocol. No endpoint returns the contents of a profile: admins see counts and states."
    >
      <EndpointList endpoints={adminApi} />
      <Section id="rules" title="Rules for all endpoints">
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
            Without a session the answer is 401 PROF001. For a user who is not an admin it is 403
            PROF002, from the first request after the role was taken away.
          </li>
          <li>
            Changes that last need a session that signed in or confirmed its password in the last
            ten minutes, as in the dashboard API. Suspending, refusing, withdrawing and demoting do
            not.
          </li>
          <li>
            Each change is listed in the admin activity, with <Mono>before</Mono> and{" "}
            <Mono>after</Mono>. A change to an account or a profile is also in its owner's log.
          </li>
        </ul>
      </Section>
      {Object.entries(adminApi).map(([name, endpoint]) => (
        <SessionEntry key={name} name={name} endpoint={endpoint} />
      ))}
    </Page>
  );
}
