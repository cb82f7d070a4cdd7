import { randomBytes } from "node:crypto";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { expect, test } from "vitest";
import { stopClock } from "@/tests/support/connecting/receiver";
import { testNow } from "@/tests/support/harness";
import { secretText, signatureHeaders } from "./signature";

stopClock();

const body = '{"type":"webhook.test","timestamp":"2026-03-01T12:00:00.000Z","data":{"ü":1}}';
const later = new Date(testNow.getTime() + 60_000);
const [secret, formerSecret, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const rotated = { secret, formerSecret, formerUntil: later };
const signed = (
  now = testNow,
  secrets: Parameters<typeof signatureHeaders>[0]["secrets"] = rotated,
) => signatureHeaders({ id: "msg_1", body, now, secrets });
const verify = (headers: Record<string, string>, key = secret, text = body) =>
  new Webhook(secretText(key)).verify(text, headers);

test.each([secret, formerSecret])(
  "a receiver with either secret accepts a message after a rotation",
  (key) => {
    expect(verify(signed(), key)).toEqual(JSON.parse(body));
  },
);

test("the former secret signs nothing once its time is over", () => {
  const headers = signed(testNow, { secret, formerSecret, formerUntil: testNow });
  expect(verify(headers)).toEqual(JSON.parse(body));
  expect(() => verify(headers, formerSecret)).toThrow(WebhookVerificationError);
});

test.each([
  ["another secret", signed(), other, body],
  ["another body", signed(), secret, body.replace("test", "best")],
  ["another id", { ...signed(), "webhook-id": "msg_2" }, secret, body],
  ["a signature of six minutes ago", signed(new Date(testNow.getTime() - 360_000)), secret, body],
])("a receiver refuses %s", (_what, headers, key, text) => {
  expect(() => verify(headers, key, text)).toThrow(WebhookVerificationError);
});
