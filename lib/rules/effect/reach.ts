import { type Category, covers, type Scope } from "@/lib/protocol/scope";
import { decideEach } from "../decide";
import { namedCategories } from "../decide-scope";
import type { Facts, Permission } from "../facts";

/** How far a permission reaches: all of these scopes, but for what is cut out of them. */
export interface Reach {
  scopes: readonly Scope[];
  except: readonly Category[];
}

/**
 * What an agent may read or propose now, in as few scopes as tell it. Only where a rule names a category
 * can the decision turn; from there down to the next such name it stays.
 */
export function reach(facts: Facts, permission: Permission): Reach {
  const decide = decideEach(facts, permission);
  const named = [...new Set([everything, ...namedCategories(facts)])].map((scope) => ({
    scope,
    isOpen: decide(scope).outcome === "granted",
  }));
  const turns = named.filter(({ scope, isOpen }) => isOpen !== isOpenAbove(named, scope));
  return {
    scopes: turns.filter(({ isOpen }) => isOpen).map(({ scope }) => scope),
    except: turns.filter(({ isOpen }) => !isOpen).map(({ scope }) => scope),
  };
}

const everything = "prof:*";

type Named = { scope: Scope; isOpen: boolean };

function isOpenAbove(named: readonly Named[], scope: Scope): boolean {
  const above = named.filter((one) => one.scope !== scope && covers(one.scope, scope));
  const nearest = above.reduce<Named | undefined>(
    (near, one) => (near === undefined || covers(near.scope, one.scope) ? one : near),
    undefined,
  );
  return nearest?.isOpen ?? false;
}
