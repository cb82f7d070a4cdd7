import { type Env, loadEnv, readEnvFile } from "@/lib/engine/env";
import { isPublic } from "@/lib/http/protocol-request";

// The health check of a container: ends with 0 if the gateway beside it is ready, else with 1 and the answer.

const patienceMs = 4_000;

async function probe(env: Env): Promise<void> {
  const { METRICS_TOKEN: token } = env;
  const headers = token === undefined ? undefined : { Authorization: `Bearer ${token}` };
  // Without a token, others learn only that a public gateway answers.
  const target = isPublic(env) && token === undefined ? "/api/health" : "/api/health/ready";
  const signal = AbortSignal.timeout(patienceMs);
  const response = await fetch(`http://${authorityOf(env)}${target}`, { headers, signal });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

function authorityOf({ HOST: host, PORT: port }: Env): string {
  if (host === "0.0.0.0" || host === "::") return `127.0.0.1:${port}`;
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

readEnvFile(".env");
probe(loadEnv()).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  },
);
