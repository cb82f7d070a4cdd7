import { z } from "zod";
import type { Endpoint } from "@/lib/protocol/endpoints";
import { Empty, limit, single } from "@/lib/protocol/requests";
import { Timestamp } from "@/lib/protocol/resources";

// Beyond the protocol, and signed as it is: where an agent is sent what becomes of its requests.

const Webhook = z.object({
  url: z.string().meta({ examples: ["https://agent.example.com/webhook"] }),
  state: z.enum(["active", "paused"]),
  stateReason: z.string().nullable().describe("Why it is paused."),
  formerSecretUntil: Timestamp.nullable().describe(
    "Until then, each message has a signature by the former secret as well.",
  ),
  waiting: z.int().describe("How many messages wait to be sent; at most 10,000."),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const Secret = z.string().meta({
  description: "Signs the messages. It is shown this once.",
  examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="],
});

const MessageId = z
  .string()
  .meta({ description: "msg_<id>", examples: ["msg_8uGe2LwF5aTjC0iXo3MqSk"] });

const Delivery = z.object({
  id: MessageId.describe("The `webhook-id` of every attempt."),
  type: z.string().meta({ examples: ["consent.decided"] }),
  state: z.enum(["waiting", "done", "given_up"]),
  message: z.unknown().meta({
    description: "The body as it is sent: type, timestamp, and data with ids and states.",
    examples: [{ type: "webhook.test", timestamp: "2030-01-31T12:00:00.000Z", data: {} }],
  }),
  attempts: z.int(),
  answer: z.string().nullable().describe("The last answer: its status and beginning."),
  madeAt: Timestamp,
  endedAt: Timestamp.nullable(),
});

const WebhookBody = z
  .object({ url: z.string().max(2_000) })
  .meta({ examples: [{ url: "https://agent.example.com/webhook" }] });

const own = {
  credentials: ["signature"],
  params: Empty,
  query: Empty,
  body: null,
  meta: Empty,
  limitClass: "proposals",
  errors: ["PROF002", "PROF003"],
} as const;

const path = "/api/webhook";

export const webhookEndpoints = {
  getWebhook: {
    ...own,
    name: "getWebhook",
    summary: "Read the caller's webhook.",
    method: "GET",
    path,
    data: Webhook,
    statuses: { 200: "The webhook." },
  },
  setWebhook: {
    ...own,
    name: "setWebhook",
    summary: "Set the address of the caller's webhook. A paused webhook goes on.",
    method: "PUT",
    path,
    body: WebhookBody,
    data: Webhook.extend({ secret: Secret.nullable().describe("With a new webhook only.") }),
    statuses: { 200: "The address was changed.", 201: "The webhook is new." },
  },
  removeWebhook: {
    ...own,
    name: "removeWebhook",
    summary: "Remove the caller's webhook, with the messages that wait.",
    method: "DELETE",
    path,
    data: z.object({}),
    statuses: { 200: "Removed." },
  },
  rotateWebhookSecret: {
    ...own,
    name: "rotateWebhookSecret",
    summary: "Make another secret. For 24 hours, messages are signed with both.",
    method: "POST",
    path: `${path}/secret`,
    data: z.object({ secret: Secret, formerSecretUntil: Timestamp }),
    statuses: { 200: "The new secret." },
  },
  testWebhook: {
    ...own,
    name: "testWebhook",
    summary: "Send a message of type `webhook.test` to the caller's webhook.",
    method: "POST",
    path: `${path}/test`,
    data: z.object({ id: MessageId }),
    statuses: { 202: "The message waits to be sent." },
  },
  listDeliveries: {
    ...own,
    name: "listDeliveries",
    summary: "List the messages to the caller's webhook, newest first.",
    method: "GET",
    path: `${path}/deliveries`,
    query: z.object({
      after: single().max(32).optional().describe("`meta.next` of the page before."),
      limit: limit(50),
    }),
    data: z.array(Delivery),
    meta: z.object({ next: MessageId.nullable().describe("Null on the last page.") }),
    statuses: { 200: "One page of messages." },
  },
  replayDelivery: {
    ...own,
    name: "replayDelivery",
    summary: "Send a message once more, under its id.",
    method: "POST",
    path: `${path}/deliveries/{id}/replay`,
    params: z.object({ id: MessageId }),
    data: z.object({ id: MessageId }),
    statuses: { 202: "The message waits to be sent." },
  },
} as const satisfies Record<string, Endpoint>;
