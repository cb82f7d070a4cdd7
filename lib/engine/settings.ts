import type { Pool } from "pg";
import {
  type Env,
  type SettingName,
  type SettingValues,
  settingNames,
  settingsSchema,
} from "./env";
import type { Log } from "./log";

// What an admin can change while the gateway runs. The environment says what holds until then; a row
// of "Setting" under the same name overrides it, on every instance, within a second.

export interface Settings {
  values(): SettingValues;
  /** Those that a row overrides, as text. */
  overridden(): Partial<Record<SettingName, string>>;
  refresh(): Promise<void>;
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

  async function refresh(): Promise<void> {
    const found = await pool.query<{ key: SettingName; value: unknown }>({
      name: "settings",
      text: `SELECT key, value FROM "Setting" WHERE key = ANY($1)`,
      values: [settingNames],
    });
    rows = Object.fromEntries(found.rows.map(({ key, value }) => [key, String(value)]));
    current = { ...given, ...readable(rows, log) };
  }
  function watch(): void {
    timer = setTimeout(() => {
      refresh()
        // What held before holds on: nothing was changed while nobody could change anything.
        .catch((error: unknown) => log.warn("the settings could not be read", { error }))
        .finally(() => {
          if (!isStopped) watch();
        });
    }, lookMs).unref();
  }
  return {
    values: () => current,
    overridden: () => rows,
    refresh,
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
    // Its own key alone: what a row does not say is not for a schema's default to say.
    return one.success ? { [name]: one.data[name as SettingName] } : {};
  });
  return Object.assign({}, ...parsed);
}
