import type { Metadata } from "next";
import { engine } from "@/lib/engine/engine";
import { ownerApi } from "@/lib/http/api/tables";
import { idleDays, sessionDays } from "@/lib/services/accounts/session-life";
import { Code, Mono } from "../_parts/code";
import { gatewayUrl } from "../_parts/gateway-url";
import { Page, Section, Text } from "../_parts/page";
import { EndpointList } from "./endpoint-list";
import { SessionEntry } from "./session-entry";

export const metadata: Metadata = { title: "Dashboard API" };

export default async function DashboardApiPage() {
  return (
    <Page
      title="Dashboard API"
      lead="The operations of the dashboard, for your own scripts. It is not part of the protocol: another gateway may lack it, and a later version may change it. Agents cannot use it."
    >
      <EndpointList endpoints={ownerApi} />
      <SigningIn gateway={await gatewayUrl()} />
      <Rules />
      {Object.entries(ownerApi).map(([name, endpoint]) => (
        <SessionEntry key={name} name={name} endpoint={endpoint} />
      ))}
    </Page>
  );
}

function SigningIn({ gateway }: { gateway: string }) {
  return (
    <Section id="signing-in" title="Signing in">
      <Text>
        A script signs in with your password, and then sends the session's cookie. You can see and
        end the session in your settings. It ends {idleDays} days after its last use, and{" "}
        {sessionDays} days after the sign-in. Do not write a password on a command line: these
        commands ask for it.
      </Text>
      <Code title="bash">
        {`GATEWAY=${gateway}
read -rp "E-mail address: " EMAIL
read -rsp "Password: " PASSWORD

# get a CSRF token and its cookie
CSRF=$(curl -sS -c jar "$GATEWAY/api/auth/csrf" | sed 's/.*"csrfToken":"\\([^"]*\\)".*/\\1/')

# sign in: 200 and the session's cookie in the file jar, or 401
printf %s "$PASSWORD" | curl -sS --fail -o /dev/null -b jar -c jar \\
  "$GATEWAY/api/auth/callback/credentials" \\
  --data-urlencode "csrfToken=$CSRF" --data-urlencode "email=$EMAIL" \\
  --data-urlencode password@- -d json=true

# get the DID of your first profile
DID=$(curl -sS -b jar "$GATEWAY/api/profiles" | sed 's/.*"data":\\[{"did":"\\([^"]*\\)".*/\\1/')

# list its pending proposals
curl -sS -b jar "$GATEWAY/api/profiles/$DID/proposals?status=pending"`}
      </Code>
      <Text>
        Keep the file <Mono>jar</Mono> like a password: it is your session. End the session when the
        script is done:
      </Text>
      <Code title="bash">
        {`CSRF=$(curl -sS -b jar -c jar "$GATEWAY/api/auth/csrf" | sed 's/.*"csrfToken":"\\([^"]*\\)".*/\\1/')
curl -sS -o /dev/null -b jar -c jar "$GATEWAY/api/auth/signout" \\
  --data-urlencode "csrfToken=$CSRF" -d json=true
rm jar`}
      </Code>
    </Section>
  );
}

function Rules() {
  return (
    <Section id="rules" title="Rules for all endpoints">
      <ul className="flex max-w-prose list-disc flex-col gap-2 pl-5">
        <li>
          Responses have the same members as in the protocol: <Mono>success</Mono>,{" "}
          <Mono>data</Mono> or <Mono>error</Mono>, and <Mono>meta</Mono>. Error codes are the same.
        </li>
        <li>
          Without a session the answer is 401 PROF001. A profile that is not yours is 404 PROF003.
        </li>
        <li>
          To issue a token, add a rule or export, for example, you must have signed in or confirmed
          your password in the last ten minutes. Otherwise the answer is 403 PROF002 with{" "}
          <Mono>details.confirm</Mono>: send the password to <Mono>POST /api/session/confirm</Mono>,
          or sign in again. Then repeat the call with the cookie that the answer sets: the old one
          no longer works.
        </li>
        <li>
          A change needs <Mono>Content-Type: application/json</Mono>, even without a body. Requests
          that a browser sends for another site are 403 PROF002.
        </li>
        <li>
          A list has at most 200 items a page. <Mono>meta.next</Mono> of one page is the{" "}
          <Mono>cursor</Mono> of the next; it is null on the last one.
        </li>
        <li>
          You can send {engine().settings.values().LIMIT_SESSION} requests an hour, including the
          forms of the dashboard. Page views are counted separately, with the same limit.
        </li>
      </ul>
    </Section>
  );
}
