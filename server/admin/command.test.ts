import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { emptyDatabase } from "@/tests/support/database";
import { testEngine } from "@/tests/support/harness";
import { mintOwner } from "@/tests/support/personas";
import { run } from "@/tests/support/processes";
import { readCommand, UsageError } from "./commands";

// `npm run admin`, as a process of its own.
const engine = await testEngine();
const databaseUrl = engine.env.DATABASE_URL ?? "";
const folder = await mkdtemp(path.join(tmpdir(), "gateway-admin-"));
afterAll(() => rm(folder, { recursive: true }));

async function admin(words: string[], env: Record<string, string> = { DATABASE_URL: databaseUrl }) {
  const program = run(["server/run.mjs", "server/admin/main.ts", ...words], env);
  const code = await program.ended;
  return { code, said: program.output() };
}

async function somebody(): Promise<{ userId: string; email: string }> {
  const { userId } = await mintOwner(engine);
  return { userId, email: `${userId}@alice.test`.toLowerCase() };
}

function linkIn(said: string): string {
  return /\/link\/(\w{43})\n/.exec(said)?.[1] ?? "";
}

describe("npm run admin", () => {
  test("invites an admin with a link at the gateway's address, and writes down who was invited", async () => {
    const env = { DATABASE_URL: databaseUrl, PUBLIC_URL: "https://gateway.example.com" };
    const { code, said } = await admin(["invite", "New@Example.com", "--admin"], env);
    expect(said).toMatch(
      /^ {2}https:\/\/gateway\.example\.com\/link\/\w{43}\n {2}works once, until /,
    );
    expect(said).not.toContain("PUBLIC_URL");
    expect(code).toBe(0);
    const [link] = await engine.db.oneTimeLink.findMany({ where: { email: "new@example.com" } });
    expect(link).toMatchObject({ purpose: "invitation", role: "admin", usedAt: null });
    const event = await engine.db.adminEvent.findFirst({ where: { subjectId: link?.userId } });
    expect(event).toMatchObject({ adminId: "shell", verb: "inviteUser", after: { role: "admin" } });
  });

  test("says that the address is a guess where no configuration tells it", async () => {
    const { code, said } = await admin(["invite", "guess@example.com"]);
    expect(said).toContain("  http://localhost:3000/link/");
    expect(said).toContain("PUBLIC_URL is not set");
    expect(code).toBe(0);
  });

  test("makes somebody an admin, and a link to choose a new password", async () => {
    const { userId, email } = await somebody();
    expect(await admin(["promote", email])).toEqual({
      code: 0,
      said: `  ${email} is an admin now.\n`,
    });
    const { role } = await engine.db.user.findUniqueOrThrow({ where: { id: userId } });
    expect(role).toBe("admin");
    const { code, said } = await admin(["reset-link", email]);
    expect([code, linkIn(said)]).toEqual([0, expect.stringMatching(/^\w{43}$/)]);
    expect(await engine.db.oneTimeLink.findFirst({ where: { email } })).toMatchObject({
      purpose: "password_reset",
    });
  });

  test("ends the sessions of one user or of everybody, says how many, and leaves an event", async () => {
    const { userId, email } = await somebody();
    await somebody();
    const one = await admin(["end-sessions", email]);
    expect(one).toEqual({ code: 0, said: `  1 session of ${email} ended.\n` });
    const others = await engine.db.session.count();
    expect(others).toBeGreaterThan(0);
    const all = await admin(["end-sessions"]);
    expect(all).toEqual({
      code: 0,
      said: expect.stringMatching(new RegExp(`^ {2}${others} sessions? ended\\.\n$`)),
    });
    expect(await engine.db.session.count()).toBe(0);
    const events = await engine.db.adminEvent.findMany({ where: { verb: "endSessions" } });
    expect(events).toMatchObject([
      { adminId: "shell", subjectId: userId, after: { ended: 1 } },
      { adminId: "shell", subjectId: "everybody", after: { ended: others } },
    ]);
  });

  test("ends with 1 and one sentence where it cannot be done", async () => {
    const { email } = await somebody();
    const nobody = "Nobody here has the address nobody@example.com.\n";
    expect(await admin(["promote", "nobody@example.com"])).toEqual({ code: 1, said: nobody });
    const taken = "Somebody has an account with it already.\n";
    expect(await admin(["invite", email])).toEqual({ code: 1, said: taken });
    const gone = await admin(["promote", email], { DATABASE_URL: "postgresql://a@127.0.0.1:1/a" });
    expect(gone).toEqual({
      code: 1,
      said: expect.stringMatching(/^The database .* not answer\..*\n$/),
    });
  });

  test("shows its usage when asked, and with 2 and the reason when it does not understand, touching nothing", async () => {
    const nowhere = { DATA_FOLDER: path.join(folder, "untouched") };
    expect(await admin(["--help"], nowhere)).toMatchObject({ code: 0 });
    const { code, said } = await admin(["invite", "a@example.com", "--amin"], nowhere);
    expect(said).toMatch(
      /^Unknown option '--amin'[\s\S]*npm run admin -- invite <email> \[--admin\]/,
    );
    expect(code).toBe(2);
  });

  test("works on an empty database, as before a first start", async () => {
    const { code, said } = await admin(["invite", "first@example.com", "--admin"], {
      DATABASE_URL: await emptyDatabase(),
    });
    expect([code, linkIn(said)]).toEqual([0, expect.stringMatching(/^\w{43}$/)]);
  });

  test("works on the embedded database while no gateway runs, and leaves none behind", async () => {
    const env = { DATA_FOLDER: path.join(folder, "stopped") };
    expect(await admin(["invite", "one@example.com"], env)).toMatchObject({ code: 0 });
    expect(await admin(["invite", "two@example.com"], env)).toMatchObject({ code: 0 });
  });

  test.runIf(process.getuid?.() === 0)("tells another user to be the gateway's", async () => {
    const env = { DATA_FOLDER: path.join(folder, "stopped") };
    await admin(["invite", "three@example.com"], env);
    const words = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath];
    const bundled = [
      "--enable-source-maps",
      "dist/server/admin/main.mjs",
      "promote",
      "a@example.com",
    ];
    const { status, stderr } = spawnSync("setpriv", [...words, ...bundled], {
      env: { NODE_ENV: "production", PATH: "/usr/bin:/bin", ...env },
      encoding: "utf8",
    });
    expect(stderr).toMatch(
      /^The data folder .* belongs to another user; run this as the one that runs the gateway\.\n$/,
    );
    expect(status).toBe(1);
  });
});

test.each([
  [[], "Say what to do."],
  [["frobnicate", "a@example.com"], "There is no command frobnicate."],
  [["invite"], "invite needs an e-mail address."],
  [["promote", "nobody"], "'nobody' is not an e-mail address."],
  [["end-sessions", "nobody"], "'nobody' is not an e-mail address."],
  [
    ["promote", `${"a".repeat(250)}@b.example`],
    `'${"a".repeat(250)}@b.example' is not an e-mail address.`,
  ],
  [["promote", "a@example.com", "b@example.com"], "One e-mail address at a time."],
  [["promote", "a@example.com", "--admin"], "--admin goes with invite only."],
])("%o is refused before anything is touched", (words, reason) => {
  expect(() => readCommand(words)).toThrow(new UsageError(reason));
});
