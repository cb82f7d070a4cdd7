import { type Scope, Scope as ScopeSchema, scopesPerRequestMax } from "@/lib/protocol/scope";

// An OAuth scope is one of the protocol's, or one of these two.
const proposing = "propose";
/** Asked for by clients that want a refresh token; all get one. */
const offline = "offline_access";

export interface RequestedScopes {
  scopes: Scope[];
  proposes: boolean;
}

/** Never a sensitive one: clients ask for all that is listed. */
const least: RequestedScopes = { scopes: ["prof:preferences"], proposes: true };

/** What the metadata lists: enough to begin with. */
export const listedScopes = scopeText(least).split(" ");
export const listedScopesOfServer = [...listedScopes, offline];

/** Reads a `scope` parameter. Unknown words are dropped, as clients send other servers' too; of none, the least. */
export function readScopes(text: string | undefined): RequestedScopes {
  const words = [...new Set((text ?? "").split(" "))];
  const scopes = words.filter((word) => ScopeSchema.safeParse(word).success);
  const proposes = words.includes(proposing);
  if (scopes.length === 0 && !proposes) return least;
  const some = scopes.length > 0 ? scopes : least.scopes;
  return { scopes: some.slice(0, scopesPerRequestMax), proposes };
}

export function scopeText({ scopes, proposes }: RequestedScopes): string {
  return [...scopes, ...(proposes ? [proposing] : [])].join(" ");
}
