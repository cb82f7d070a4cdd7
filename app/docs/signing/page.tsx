import type { Metadata } from "next";
import Link from "next/link";
import { authorityOf } from "@/lib/protocol/signature";
import vectors from "@/lib/protocol/vectors/signature.json";
import { Code, Mono } from "../_parts/code";
import { gatewayUrl } from "../_parts/gateway-url";
import { Page, Section, Text } from "../_parts/page";
import { Table } from "../_parts/table";

export const metadata: Metadata = { title: "Signing a request" };

const [worked] = vectors.requests.filter(
  ({ method, target }) => method === "POST" && target.endsWith("/access"),
);

const recipe: readonly { line: string; how: string }[] = [
  { line: "PROF-Signature-v1", how: "This word, always. It says what the text is." },
  { line: "Method", how: "GET or POST, in upper case." },
  {
    line: "Authority",
    how: "Host and port of the gateway as you address it, in lower case. Leave out port 80 for http and 443 for https.",
  },
  {
    line: "Canonical path",
    how: "The path with percent-encoding taken off once. The colons of a DID stay as they are.",
  },
  {
    line: "Canonical query",
    how: "Decode each name and value (a plus is a space). Sort by name, then by value, in code point order. Encode again so that only A–Z a–z 0–9 - . _ ~ stay plain, in upper-case hex. Join as name=value with &. Without a query the line is empty.",
  },
  { line: "Timestamp", how: "The ts of the header: UTC, as YYYY-MM-DDTHH:MM:SSZ." },
  { line: "Nonce", how: "The nonce of the header: new for every request." },
  {
    line: "Body hash",
    how: "SHA-256 of the body's bytes, in lower-case hex. Without a body, that of no bytes: e3b0c442…b855.",
  },
];

export default async function SigningPage() {
  const gateway = await gatewayUrl();
  return (
    <Page
      title="Signing a request"
      lead="Every request carries a signature by a key that the gateway knows. It covers all that the request does, so nobody can change or repeat it."
    >
      <HeaderParts />

      <EightLines gateway={gateway} />

      <Section id="sign" title="The signature">
        <Text>
          Sign those bytes with Ed25519, the plain kind of RFC 8032: no hash before it, no context.
          Encode the 64 bytes as base64, and put them into the header with the same timestamp and
          nonce as in the text.
        </Text>
      </Section>

      {worked !== undefined && <WorkedExample {...worked} />}

      <WhenRefused />
    </Page>
  );
}

type Worked = (typeof vectors.requests)[number];

function WorkedExample({ baseUrl, target, body, canonicalText, signature, authorization }: Worked) {
  return (
    <Section id="example" title="A worked example">
      <Text>
        Check your code with it: the same key and the same text give the same signature, for Ed25519
        leaves nothing to chance. The key is published, so it is for tests only.
      </Text>
      <Code title="The key, PKCS #8">{vectors.key.privateKeyPkcs8Pem.trimEnd()}</Code>
      <Code title="The request">{`POST ${baseUrl}${target}\nContent-Type: application/json\n\n${body}`}</Code>
      <Code title="The text that is signed">{canonicalText}</Code>
      <Code title="The signature, base64">{signature}</Code>
      <Code title="The header">{`Authorization: ${authorization}`}</Code>
      <Text>
        More of them, valid and invalid, are in <Mono>lib/protocol/vectors</Mono> of the source:
        every canonical form, header, timestamp, nonce and weak key that an implementation should be
        held against.
      </Text>
    </Section>
  );
}

function HeaderParts() {
  return (
    <Section id="header" title="The header">
      <Code title="Authorization header">
        {
          'Authorization: PROF-Signature did="<DID>", sig="<SIGNATURE>", ts="<TIMESTAMP>", nonce="<NONCE>"'
        }
      </Code>
      <Table
        code
        caption="The four parts of the header"
        head={["Part", "What it is"]}
        rows={[
          ["did", "Who signs: the DID of a registered agent, or of a user."],
          ["sig", "The signature, 64 bytes in base64 or base64url, padded or not."],
          [
            "ts",
            "When you signed. It may be up to five minutes off the gateway's clock, unless this gateway sets it otherwise.",
          ],
          [
            "nonce",
            "8 to 128 of A–Z a–z 0–9 . _ ~ -. Each is accepted once for a DID, on every instance and after every restart. 16 random bytes in hex do.",
          ],
        ]}
      />
      <Text>
        Parts may come in any order. A part that is missing, empty or given twice makes the header
        invalid, and so does a second Authorization header.
      </Text>
    </Section>
  );
}

function EightLines({ gateway }: { gateway: string }) {
  return (
    <Section id="text" title="The eight lines">
      <Text>
        Write these eight lines, joined by a line feed, with none at the end, as UTF-8. For this
        gateway, the authority is <Mono>{authorityOf(gateway)}</Mono>.
      </Text>
      <ol className="flex flex-col gap-3">
        {recipe.map(({ line, how }, index) => (
          <li key={line} className="flex gap-3">
            <span
              aria-hidden="true"
              className="flex size-7 shrink-0 items-center justify-center rounded-box bg-accent-soft font-mono text-xs font-medium text-accent-strong"
            >
              {index + 1}
            </span>
            <div className="min-w-0 max-w-prose pt-0.5">
              <span className="font-medium">{line}. </span>
              <span className="text-muted [overflow-wrap:anywhere]">{how}</span>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function WhenRefused() {
  return (
    <Section id="wrong" title="When it is refused">
      <Table
        code
        caption="What each refusal says about a signature"
        head={["Code", "Look at"]}
        rows={[
          [
            "PROF001",
            "The header's form, the DID, the key, or one of the eight lines. The answer is the same for all of them, so that it helps nobody who guesses. Compare your text with what the client prints for the same request: in the folder of the gateway's source, node cli/prof.mjs sign --explain.",
          ],
          ["PROF007", "Your clock. details.serverTime is the gateway's."],
          ["PROF008", "The nonce was used before. Sign again with a new one."],
        ]}
      />
      <Text>
        The usual reasons: a line feed at the end of the text, an authority with the wrong port, a
        query that was signed in another order or encoding, and a body that a library wrote anew
        after it was hashed.{" "}
        <Link className="text-accent underline" href="/docs/examples">
          The examples
        </Link>{" "}
        are complete programs.
      </Text>
    </Section>
  );
}
