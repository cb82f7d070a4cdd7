import { expect, test } from "vitest";
import { setLetter } from "./letter";
import * as letters from "./letters";

const agent = { did: "did:prof:agent:local:iris", name: 'Iris <b> & "Co"' };
const samples = {
  accessRequest: letters.accessRequestLetter({
    ...{ agent, scopes: 3, profile: "alice", requestId: "creq_1" },
  }),
  newAgent: letters.newAgentLetter({ agent, profile: "alice" }),
  digest: letters.digestLetter({ proposals: 2, requests: 1, texts: ["Likes tea.\n<script>"] }),
  signedIn: letters.securityLetter("signed_in"),
  addressLeft: letters.securityLetter("address_left"),
  invitation: letters.invitationLetter({ token: "abc" }),
  reset: letters.resetLetter({ token: "abc" }),
  address: letters.addressLetter({ token: "abc" }),
  webhookPaused: letters.webhookPausedLetter(agent),
};

test.each(Object.entries(samples))("%s says the same as text and as HTML", (_name, letter) => {
  const origin = "https://gateway.test";
  const stopPath = letter.stops && `/mail/stop/${letter.stops}/key`;
  const { subject, text, html } = setLetter(letter, { origin, stopPath });
  expect(subject).not.toMatch(/[\r\n]/);
  const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
  const plain = Object.entries(entities).reduce(
    (all, [one, sign]) => all.replaceAll(one, sign),
    html,
  );
  for (const words of [...letter.paragraphs, ...(letter.quotes ?? []), letter.foot]) {
    expect(text.replaceAll("\n> ", "\n")).toContain(words);
    expect(plain).toContain(words);
  }
  for (const address of [letter.link && origin + letter.link.path, stopPath && origin + stopPath]) {
    if (address === undefined) continue;
    expect(text).toContain(address);
    expect(html).toContain(`href="${address}"`);
  }
  expect(html).not.toMatch(/<script|<b>|<img|https?:\/\/(?!gateway\.test)/);
});
