import { expect, test } from "vitest";
import { installEngine } from "@/lib/engine/engine";
import { createLog } from "@/lib/engine/log";
import {
  authorizeAt,
  callAt,
  consent,
  nameOfQuestion,
  openConnectDoor,
  question,
  redirectUri,
  refreshAt,
  registerAt,
  tokenAt,
  toolAt,
  verifier,
} from "@/tests/support/connecting/clients";
import { testEngine } from "@/tests/support/harness";
import { mintOwner } from "@/tests/support/personas";

const plain = await testEngine({ LIMIT_REGISTER: "1000" });
const lines: string[] = [];
const destination = { write: (line: string) => void lines.push(line) };
const engine = { ...plain, log: createLog({ level: "debug", destination }) };
installEngine(engine);
const issuer = await openConnectDoor(engine);

/** Each row of each table, as text. */
async function everyRow(): Promise<string> {
  const { rows } = await engine.pool.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const texts = rows.map(async ({ name }) => {
    const found = await engine.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    return found.rows.map(({ row }) => row);
  });
  return (await Promise.all(texts)).flat().join("\n");
}

test("a code, a verifier and tokens are in no log line, no row and no answer to anybody else", async () => {
  const owner = await mintOwner(engine);
  const clientId = await registerAt(issuer);
  const name = await nameOfQuestion(await authorizeAt(issuer, question(clientId)));
  const code = (await consent(engine, owner, { name })).get("code") ?? "";
  const form = { grant_type: "authorization_code", code, client_id: clientId };
  const redeeming = { ...form, redirect_uri: redirectUri, code_verifier: verifier };
  const answers = [
    await tokenAt(issuer, { ...redeeming, code_verifier: "w".repeat(43) }),
    await tokenAt(issuer, { ...redeeming, redirect_uri: "http://localhost/x" }),
  ];
  const first = await (await tokenAt(issuer, redeeming)).json();
  const next = await (await refreshAt(issuer, { clientId, ...first })).json();
  expect(await toolAt(issuer, { token: next.access_token, name: "read_profile" })).toMatchObject({
    status: 200,
  });
  answers.push(
    await refreshAt(issuer, { clientId: "oauth-other", refresh_token: next.refresh_token }),
    await callAt(issuer, { token: next.refresh_token, method: "tools/list" }),
    await fetch(`${issuer}/prof/v1/profile`, {
      headers: { Authorization: `Bearer ${next.access_token}` },
    }),
    await fetch(`${issuer}/mcp?access_token=${next.access_token}`, { method: "POST" }),
  );
  expect(answers.every(({ status }) => status >= 400)).toBe(true);
  const refusals = await Promise.all(answers.map((answer) => answer.text()));
  const rows = await everyRow();
  const said = [...lines, ...refusals, rows].join("\n");
  expect(lines.some((line) => line.includes("mcp read_profile"))).toBe(true);
  expect(rows).toContain("oauth-");
  for (const pair of [first, next]) {
    for (const secret of [code, verifier, pair.access_token, pair.refresh_token]) {
      expect(secret.length).toBeGreaterThan(40);
      expect(said).not.toContain(secret);
    }
  }
});
