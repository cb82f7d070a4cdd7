import type { Metadata } from "next";
import { type ErrorCode, errorTable } from "@/lib/protocol/errors";
import { ErrorBody } from "@/lib/protocol/resources";
import { Code, Mono } from "../_parts/code";
import { Fields } from "../_parts/fields";
import { Page, Section, Text } from "../_parts/page";
import { fieldRows } from "../_parts/schema";

export const metadata: Metadata = { title: "Errors" };

const explanations: Record<ErrorCode, { when: string; todo: string }> = {
  PROF001: {
    when: "Credentials are missing or not valid: an unknown or pending agent, a wrong or revoked key, a bad signature, an unknown or expired token. The answer never says which.",
    todo: "Check the DID and the key, then the signed text. See “Signing a request”.",
  },
  PROF002: {
    when: "Your credentials are valid, but you may not do this: an agent that reviews, a user on another user's profile, a token for another profile, a suspended agent.",
    todo: "Do not repeat it. The message says who may.",
  },
  PROF003: {
    when: "There is no such profile, proposal or path.",
    todo: "Check the address and the identifiers in it.",
  },
  PROF004: {
    when: "The owner's consent is missing for everything in your request. details.deniedScopes lists the scopes, and details.state says what to do.",
    todo: "If details.state is ask, request access for a purpose. If it is waiting, the owner was asked: try again once they have answered, at details.consentUrl. If it is denied, a rule or the owner said no: do not ask again. A refusal is remembered for 30 days.",
  },
  PROF005: {
    when: "A limit is reached: requests an hour, failed requests from your address, or pending proposals on one profile.",
    todo: "Wait as many seconds as Retry-After says.",
  },
  PROF006: {
    when: "The request is not valid: parameters, body, version, media type, or a state that does not allow it. details.issues lists each member and what it must be.",
    todo: "Correct each of them. A known path with another method is 405, and Allow names the right method.",
  },
  PROF007: {
    when: "The timestamp has the wrong form, or is too far from the gateway's clock.",
    todo: "Set your clock; details.serverTime is the gateway's. Sign again.",
  },
  PROF008: {
    when: "This DID has used this nonce before.",
    todo: "Sign again with a new nonce. Never send a signed request twice.",
  },
  PROF500: {
    when: "Something failed inside the gateway.",
    todo: "Send the request id to the operator of the gateway.",
  },
  PROF503: {
    when: "The database or another service that the gateway needs does not answer.",
    todo: "Wait as many seconds as Retry-After says, then sign again and repeat.",
  },
};

const example = {
  success: false,
  error: {
    code: "PROF004",
    message:
      "The owner's consent is required for prof:health.*. Request access and wait for the owner's consent.",
    details: { deniedScopes: ["prof:health.*"], state: "ask" },
  },
  meta: { requestId: "req_2bNf6WkZ9rDxV4eUy7GsHt", timestamp: "2030-01-31T12:00:00.000Z" },
};

const codes = Object.keys(errorTable).filter((code): code is ErrorCode => code in errorTable);

export default function ErrorsPage() {
  return (
    <Page
      title="Errors"
      lead="An error has a code for programs, a message for people, and sometimes details. The gateway's log has the cause under the request id."
    >
      <Section id="shape" title="What an error looks like">
        <Code title="403 Forbidden">{JSON.stringify(example, null, 2)}</Code>
        <Text>
          Decide by <Mono>error.code</Mono>. Messages may change their wording.
        </Text>
        <Fields title="In error" rows={fieldRows(ErrorBody.shape.error, "output")} />
      </Section>
      <Section id="codes" title="The codes">
        <ul className="flex flex-col gap-3">
          {codes.map((code) => (
            <li
              key={code}
              id={code}
              className="scroll-mt-6 rounded-box border border-line bg-surface p-4 target:border-accent"
            >
              <h3 className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                <span className="font-mono text-[13px] font-semibold">{code}</span>
                <span className="font-medium">{errorTable[code].meaning}</span>
                <span className="text-xs text-muted">HTTP {errorTable[code].http}</span>
              </h3>
              <p className="mt-1.5 max-w-prose">{explanations[code].when}</p>
              <p className="mt-1 max-w-prose text-muted">{explanations[code].todo}</p>
            </li>
          ))}
        </ul>
        <Text>
          PROF500 and PROF503 are this gateway's own. The others are the protocol's. Credentials are
          checked before anything else, so 401 comes before 404.
        </Text>
      </Section>
    </Page>
  );
}
