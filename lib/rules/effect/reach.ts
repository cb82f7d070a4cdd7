import { type Category, coveringKeys, type Scope } from "@/lib/protocol/scope";
import { decideEach } from "../decide";
import { namedCategories } from "../decide-scope";
import type { Facts, Permission } from "../facts";

/** The extent of a permission: these scopes, except for what is cut out of them. */
export interface Reach {
  scopes: readonly Scope[];
  except: readonly Category[];
}

/**
 * Returns what an agent may read or propose now, in as few scopes as possible. Decisions change only at
 * categories that a rule names.
 */
export function reach(facts: Facts, permission: Permission): Reach {
  const decide = decideEach(facts, permission);
  const open = new Map(
    [everything, ...namedCategories(facts)].map((scope) => [
      scope,
      decide(scope).outcome === "granted",
    ]),
  );
  const turns = [...open].filter(([scope, isOpen]) => isOpen !== isOpenAbove(open, scope));
  return {
    scopes: turns.filter(([, isOpen]) => isOpen).map(([scope]) => scope),
    except: turns.filter(([, isOpen]) => !isOpen).map(([scope]) => scope),
  };
}

const everything = "prof:*";

// The nearest above it that is named decides.
function isOpenAbove(open: ReadonlyMap<Scope, boolean>, scope: Scope): boolean {
  if (scope === everything) return false;
  const nearest = coveringKeys(scope).find((key) => key !== scope && open.has(key)) ?? everything;
  return open.get(nearest) ?? false;
}
