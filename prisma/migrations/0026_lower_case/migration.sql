-- Scopes and categories have one spelling: prof:Health walked past what denies prof:health. Events stay as they are.

-- Writers wait, readers do not: an older instance must add no capital letter before the check below holds for it.
-- In the order in which the verbs write.
LOCK TABLE "NamedValue", "Proposal", "Memory", "MemoryRevision", "ConsentRequest", "Policy", "Receipt",
  "ConnectionToken", "Agent" IN SHARE ROW EXCLUSIVE MODE;

-- By the collation "C": in Turkish, lower('I') is a letter that no scope takes.
CREATE FUNCTION lower_case(scopes text[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(scope ORDER BY place), '{}') FROM (
    SELECT lower(s COLLATE "C") AS scope, min(place) AS place
    FROM unnest(scopes) WITH ORDINALITY AS one (s, place) GROUP BY 1) AS each
$$;

DELETE FROM "NamedValue" v WHERE EXISTS (
  SELECT FROM "NamedValue" o
  WHERE o."profileId" = v."profileId" AND o.name = v.name
    AND lower(o.category COLLATE "C") = lower(v.category COLLATE "C")
    AND (o."updatedAt", o.category) > (v."updatedAt", v.category));
UPDATE "NamedValue" SET category = lower(category COLLATE "C") WHERE category ~ '[A-Z]';

-- Of pending proposals that are the same now, the newest waits on.
UPDATE "Proposal" p SET status = 'rejected', "reviewedAt" = least(p."expiresAt", now()), reason = 'expired'
WHERE status = 'pending' AND EXISTS (
  SELECT FROM "Proposal" o
  WHERE o.status = 'pending' AND o."profileId" = p."profileId" AND o."agentDid" = p."agentDid"
    AND o."contentHash" = p."contentHash"
    AND lower(o.category COLLATE "C") = lower(p.category COLLATE "C")
    AND (o."proposedAt", o.id) > (p."proposedAt", p.id));
UPDATE "Proposal" SET category = lower(category COLLATE "C") WHERE category ~ '[A-Z]';

UPDATE "Memory" SET category = lower(category COLLATE "C") WHERE category ~ '[A-Z]';
UPDATE "MemoryRevision" SET category = lower(category COLLATE "C") WHERE category ~ '[A-Z]';

UPDATE "Policy" SET allow = lower_case(allow), deny = lower_case(deny)
WHERE allow::text ~ '[A-Z]' OR deny::text ~ '[A-Z]';
UPDATE "ConsentRequest" SET scopes = lower_case(scopes), "grantedScopes" = lower_case("grantedScopes")
WHERE scopes::text ~ '[A-Z]' OR "grantedScopes"::text ~ '[A-Z]';
UPDATE "Receipt" SET "grantedScopes" = lower_case("grantedScopes"), "deniedScopes" = lower_case("deniedScopes")
WHERE "grantedScopes"::text ~ '[A-Z]' OR "deniedScopes"::text ~ '[A-Z]';
UPDATE "ConnectionToken" SET scopes = lower_case(scopes) WHERE scopes::text ~ '[A-Z]';
UPDATE "Agent" SET ceiling = lower_case(ceiling) WHERE ceiling::text ~ '[A-Z]';

DROP FUNCTION lower_case(text[]);

CREATE OR REPLACE FUNCTION "isCategory"(name text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN name ~ '^prof:[a-z0-9_-]{1,64}(\.[a-z0-9_-]{1,64})*$';
