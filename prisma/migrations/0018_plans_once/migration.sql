-- How many ask at once differs from call to call, and PostgreSQL takes a plan made for just that many for
-- cheaper than the one it keeps: so it plans anew at each call, which takes several times as long as the
-- work. One plan serves all. It is kept while tables fill, so it must not lean on one being empty.
ALTER FUNCTION admit_all(
  text[], text[], timestamptz[], text[], text[], integer[], timestamptz[], interval, text
) SET plan_cache_mode = force_generic_plan SET enable_seqscan = off;
ALTER FUNCTION claim_nonces(text[], text[], timestamptz[])
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off;
ALTER FUNCTION propose_all(json, integer, text)
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off;
