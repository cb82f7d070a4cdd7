import { afterAll, describe, expect, test } from "vitest";
import { cloneDatabase } from "@/tests/support/database";
import { listenTo, member, nothingAcknowledged } from "../fuzz/acknowledged";
import { jsonOf, judge } from "../fuzz/judge";
import { bytesOf } from "../fuzz/message";
import { startOwnGateway } from "../fuzz/testing/gateway";
import { type Answer, openLine } from "../fuzz/wire";
import { bodyRows } from "./cases/bodies";
import { framingRows } from "./cases/framing";
import { headerRows } from "./cases/header";
import { nameRows } from "./cases/names";
import { queryRows } from "./cases/queries";
import { signatureRows } from "./cases/signature";
import { smugglingRows } from "./cases/smuggling";
import { targetRows } from "./cases/targets";
import { timestampRows } from "./cases/timestamps";

// Requests that somebody means ill with, byte by byte, and what comes back: over a socket, through the
// front door, from the real routes on a real database.
const gateway = await startOwnGateway(await cloneDatabase());
afterAll(() => gateway.stop());
const { world } = gateway;
const line = openLine(world.host, world.port);
const acknowledged = nothingAcknowledged();

const tables = {
  "the Authorization header": headerRows,
  "the signature": signatureRows,
  "who it says it is": nameRows,
  "the timestamp": timestampRows,
  "the target": targetRows,
  "the query": queryRows,
  "the body": bodyRows,
  "the framing": framingRows,
  "requests in requests": smugglingRows,
};

describe.each(Object.entries(tables))("%s", (_name, rows) => {
  test.each(rows)("%s", async (_title, sent, answer) => {
    const draft = sent(world);
    const bytes = bytesOf(world, draft);
    const heard = await line.askOut(bytes, draft.method === "HEAD");
    expect(heard.answers.map(inShort).join(", ")).toBe(answer);
    for (const one of heard.answers) listenTo(acknowledged, world, one);
    expect(judge(world, draft, bytes, heard)).toEqual([]);
  });
});

test("No two rows have one title", () => {
  const titles = Object.values(tables).flatMap((rows) => rows.map(([title]) => title));
  expect(titles.length).toBeGreaterThan(400);
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});

test("Of all these requests nothing is stored but what an answer said", async () => {
  expect(acknowledged.proposals.size).toBeGreaterThan(0);
  expect(await gateway.storedUnacknowledged(acknowledged)).toEqual([]);
});

function inShort({ status, body }: Answer): string {
  const code = member(member(jsonOf(body.toString("utf8")), "error"), "code");
  return code === undefined ? `${status}` : `${status} ${code}`;
}
