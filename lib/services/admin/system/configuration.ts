import type { Env, SettingValues } from "@/lib/engine/env";

const secretName = /SECRET|TOKEN|PASSWORD|PASSPHRASE|_ID$/;

/** Returns the configuration in use. For a secret, only whether it is set. */
export function configurationShown(env: Env, settings: SettingValues): [string, string][] {
  return Object.entries({ ...env, ...settings }).map(([name, value]) => [name, shown(name, value)]);
}

function shown(name: string, value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "not set";
  if (secretName.test(name)) return "set, not shown";
  const text = String(value);
  return URL.canParse(text) ? withoutPassword(new URL(text)) : text;
}

// The address of a database carries its password.
function withoutPassword(url: URL): string {
  const bare = new URL(url);
  if (bare.password !== "") bare.password = "…";
  bare.search = "";
  return decodeURI(bare.href);
}
