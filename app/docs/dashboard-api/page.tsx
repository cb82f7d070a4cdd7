import type { Metadata } from "next";
import { engine } from "@/lib/engine/engine";
import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import type { SessionEndpoint } from "@/lib/http/session/endpoints/endpoint";
import { idleDays, sessionDays } from "@/lib/services/accounts/session-life";
import { Code, Mono } from "../_parts/code";
import { gatewayUrl } from "../_parts/gateway-url";
import { Page, Section, Text } from "../_parts/page";
import { EndpointList } from "./endpoint-list";
import { SessionEntry } from "./session-entry";

export const metadata: Metadata = { title: "Dashboard API" };

const all: readonly SessionEndpoint[] = Object.values(sessionEndpoints);

export default async function DashboardApiPage() {
  return (
    <Page
      title="Dashboard API"
      lead="What the dashboard does, for a script of your own. It is not part of the protocol: another gateway need not have it, and a later version may change it. Agents have no use for it."
    >
      <EndpointList endpoints={all} />
      <SigningIn gateway={await gatewayUrl()} />
      <Rules />
      {all.map((endpoint) => (
        <SessionEntry key={endpoint.name} endpoint={endpoint} />
      ))}
    </Page>
  );
}

function SigningIn({ gateway }: { gateway: string }) {
  return (
    <Section id="signing-in" title="Signing in">
      <Text>
        A script signs in as you do, and then sends the session's cookie. The session is listed
        among yours and can be ended like any other. It ends {idleDays} days after its last use, and{" "}
        {sessionDays} days after the sign-in. A password does not belong on a command line: these
        commands ask for it.
      </Text>
      <Code title="bash">
        {`GATEWAY=${gateway}
read -rp "E-mail address: " EMAIL
read -rsp "Password: " PASSWORD

# a value that the sign-in has to repeat, and its cookie
CSRF=$(curl -sS -c jar "$GATEWAY/api/auth/csrf" | sed 's/.*"csrfToken":"\\([^"]*\\)".*/\\1/')

# 200 and the session's cookie in the file jar, or 401
printf %s "$PASSWORD" | curl -sS --fail -o /dev/null -b jar -c jar \\
  "$GATEWAY/api/auth/callback/credentials" \\
  --data-urlencode "csrfToken=$CSRF" --data-urlencode "email=$EMAIL" \\
  --data-urlencode password@- -d json=true

# the first of your profiles
DID=$(curl -sS -b jar "$GATEWAY/api/profiles" | sed 's/.*"data":\\[{"did":"\\([^"]*\\)".*/\\1/')

curl -sS -b jar "$GATEWAY/api/profiles/$DID/proposals?status=pending"`}
      </Code>
      <Text>
        Whoever has the file <Mono>jar</Mono> is you, so keep it like a password. End the session
        when the script is done:
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
    <Section id="rules" title="What holds for all of them">
      <ul className="flex max-w-prose list-disc flex-col gap-2 pl-5">
        <li>
          Answers have the envelope of the protocol: <Mono>success</Mono>, <Mono>data</Mono> or{" "}
          <Mono>error</Mono>, and <Mono>meta</Mono>. The codes of errors are the same too.
        </li>
        <li>Without a session it is 401 PROF001. A profile that is not yours is 404 PROF003.</li>
        <li>
          Changes that last, such as a token, a rule or an export, need a session that signed in or
          confirmed the password in the last ten minutes. Otherwise it is 403 PROF002 with{" "}
          <Mono>details.confirm</Mono>: send the password to <Mono>POST /api/session/confirm</Mono>,
          or sign in again, and repeat the call with the cookie that the answer sets: the one before
          it ends.
        </li>
        <li>
          Whatever changes something says <Mono>Content-Type: application/json</Mono>, even without
          a body. What a browser sends on behalf of another site is 403 PROF002.
        </li>
        <li>
          A list has at most 200 items a page. <Mono>meta.next</Mono> of one page is the{" "}
          <Mono>cursor</Mono> of the next; it is null on the last one.
        </li>
        <li>
          {engine().settings.values().LIMIT_SESSION} requests an hour and user, whatever they are:
          the forms of the dashboard count too. Its pages count apart, up to the same limit.
        </li>
      </ul>
    </Section>
  );
}
