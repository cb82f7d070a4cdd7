import { type Check, isNamed } from "../check";
import type { Options } from "../options";
import { access } from "./endpoints/access";
import { dids } from "./endpoints/dids";
import { leaks } from "./endpoints/leaks";
import { listingProposals } from "./endpoints/list-proposals";
import { memories } from "./endpoints/memories";
import { profile } from "./endpoints/profile";
import { proposing } from "./endpoints/propose";
import { reviewing } from "./endpoints/review";
import { scopesAndCategories } from "./endpoints/scopes";
import { usingTokens } from "./endpoints/tokens";
import { authentication } from "./wire/authentication";
import { bodies } from "./wire/bodies";
import { envelope } from "./wire/envelope";
import { freshness } from "./wire/freshness";
import { limits } from "./wire/limits";
import { paths } from "./wire/paths";
import { signature } from "./wire/signature";
import { versions } from "./wire/versions";

/** In the order in which they run: what is decided late must not change what is read early. */
export const allChecks: readonly Check[] = [
  ...authentication,
  ...signature,
  ...freshness,
  ...versions,
  ...paths,
  ...dids,
  ...scopesAndCategories,
  ...profile,
  ...memories,
  ...usingTokens,
  ...access,
  ...proposing,
  ...listingProposals,
  ...reviewing,
  ...bodies,
  ...leaks,
  ...limits,
  ...envelope,
];

export function selectChecks({ only }: Pick<Options, "only">): Check[] {
  return allChecks.filter(({ id }) => only.length === 0 || only.some((name) => isNamed(id, name)));
}
