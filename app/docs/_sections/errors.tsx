import { type ErrorCode, errorTable } from "@/lib/protocol/errors";
import { ErrorBody } from "@/lib/protocol/resources";
import { Fields } from "../_parts/fields";
import { Text } from "../_parts/page";
import { fieldRows } from "../_parts/schema";
import { type GeneratedSection, rowsText } from "./generated-section";

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

const codes = Object.keys(errorTable).filter((code): code is ErrorCode => code in errorTable);

export function errorSections(): GeneratedSection[] {
  return [...codes.map(codeSection), membersSection()];
}

function codeSection(code: ErrorCode): GeneratedSection {
  const { http, meaning } = errorTable[code];
  const { when, todo } = explanations[code];
  return {
    id: code,
    title: `${code} ${meaning}`,
    text: `HTTP ${http}. ${when} ${todo}`,
    body: (
      <>
        <Text>
          HTTP {http}. {when}
        </Text>
        <Text>{todo}</Text>
      </>
    ),
  };
}

function membersSection(): GeneratedSection {
  const rows = fieldRows(ErrorBody.shape.error, "output");
  return {
    id: "members",
    title: "Members of an error",
    text: rowsText(rows),
    body: <Fields title="In error" rows={rows} />,
  };
}
