import type { Pool } from "pg";
import {
  type Env,
  type SettingName,
  type SettingValues,
  settingNames,
  settingsSchema,
} from "./env";
import type { Log } from "./log";

// Settings that an admin can change at run time. A row of "Setting" overrides the environment: at once on the
// instance that wrote it, within a second on the others.

export interface Settings {
  values(): SettingValues;
  /** The overridden settings, as text. */
  overridden(): Partial<Record<SettingName, string>>;
  refresh(): Promise<void>;
  /** Applies a change here at once; if reading fails, at the next interval. */
  catchUp(): Promise<void>;
  /** From now on, again and again. Looking is one small query; nothing can be missed. */
  watch(): void;
  stop(): void;
}

const lookMs = 500;

export function createSettings({ env, pool, log }: { env: Env; pool: Pool; log: Log }): Settings {
  const given = settingsOf(env);
  let current = given;
  let rows: Partial<Record<SettingName, string>> = {};
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let looks = 0;
  let newest = 0;

  async function refresh(): Promise<void> {
    looks += 1;
    const look = looks;
    const found = await pool.query<{ key: SettingName; value: unknown }>({
      name: "settings",
      text: `SELECT key, value FROM "Setting" WHERE key = ANY($1)`,
      values: [settingNames],
    });
    // A read that began later has already answered with newer values.
    if (look < newest) return;
    newest = look;
    rows = Object.fromEntries(found.rows.map(({ key, value }) => [key, String(value)]));
    current = { ...given, ...readable(rows, log) };
  }
  async function catchUp(): Promise<void> {
    // Keeps the former values.
    await refresh().catch((error: unknown) =>
      log.warn("the settings could not be read", { error }),
    );
  }
  function watch(): void {
    timer = setTimeout(async () => {
      await catchUp();
      if (!isStopped) watch();
    }, lookMs).unref();
  }
  return {
    values: () => current,
    overridden: () => rows,
    refresh,
    catchUp,
    watch,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function settingsOf(env: Env): SettingValues {
  return Object.fromEntries(settingNames.map((name) => [name, env[name]])) as SettingValues;
}

// A row of another version that this one cannot read is no row.
function readable(rows: Partial<Record<SettingName, string>>, log: Log): Partial<SettingValues> {
  const parsed = Object.entries(rows).map(([name, text]) => {
    const one = settingsSchema.partial().safeParse({ [name]: text });
    if (!one.success) log.warn("a setting is not readable", { code: name });
    // Each key by itself: the schema's defaults must not fill in what rows leave out.
    return one.success ? { [name]: one.data[name as SettingName] } : {};
  });
  return Object.assign({}, ...parsed);
}
