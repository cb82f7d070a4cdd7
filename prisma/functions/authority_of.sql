CREATE OR REPLACE FUNCTION authority_of(p_profile integer, p_did text, p_key text, p_token text, p_now timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT md5(jsonb_build_array(p.state, p."ownerId", a.verified, a.ceiling,
    -- OFFSET: the order must not choose the index, or all policies of everybody are read by it.
    (SELECT string_agg(l.id || ' ' || l.version, ',' ORDER BY l.id) FROM (
       SELECT id, xmin::text AS version FROM "Policy" WHERE "profileId" = p.id AND enabled OFFSET 0) l))::text)
  FROM "Profile" p LEFT JOIN "Agent" a ON a.did = p_did
  WHERE p.id = p_profile
    -- The owner's own key is as good as their account.
    AND coalesce(a.state::text, (SELECT o.state::text FROM "User" o WHERE o.id = p."ownerId" AND p.did = p_did)) = 'active'
    AND (p_key IS NULL OR EXISTS (SELECT FROM "Key" k
      WHERE k.did = p_did AND k."publicKey" = decode(p_key, 'hex') AND k.slot IS NOT NULL))
    AND (p_token IS NULL OR EXISTS (SELECT FROM "ConnectionToken" t
      WHERE t.id = p_token AND t."revokedAt" IS NULL AND t."expiresAt" > p_now))
$function$;
