-- The state of what a profile lists: memories, named values and proposals. Each transaction that changes any
-- of it gives one of the profile's rows here a stamp that was never there before. So two databases that show
-- the same stamps of a profile show the same lists, whatever one of them has still to replay.
CREATE TABLE "ListStamp" (
    "profileId" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "stamp" UUID NOT NULL DEFAULT gen_random_uuid(),

    CONSTRAINT "ListStamp_pkey" PRIMARY KEY ("profileId","id")
);
ALTER TABLE "ListStamp" ADD CONSTRAINT "ListStamp_profileId_fkey"
  FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;
-- Room in each page for the next stamp: no index is touched by it.
ALTER TABLE "ListStamp" SET (fillfactor = 50);

-- Nobody ever waits for a stamp. Who finds every row of a profile taken by others adds one: there are as many
-- as transactions have ever changed that profile at one time.
CREATE FUNCTION stamp_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM touched) THEN RETURN NULL; END IF;
  WITH profiles AS MATERIALIZED (
    SELECT DISTINCT t."profileId" AS id FROM touched t
  ), free AS MATERIALIZED (
    SELECT s."profileId", s.id FROM profiles p CROSS JOIN LATERAL (
      SELECT l."profileId", l.id FROM "ListStamp" l WHERE l."profileId" = p.id
      LIMIT 1 FOR UPDATE SKIP LOCKED) s
  ), stamped AS (
    UPDATE "ListStamp" l SET stamp = gen_random_uuid()
    FROM free f WHERE l."profileId" = f."profileId" AND l.id = f.id
  )
  -- Of a profile that goes, its lists go first.
  INSERT INTO "ListStamp" ("profileId")
  SELECT o.id FROM profiles p JOIN "Profile" o ON o.id = p.id
  WHERE NOT EXISTS (SELECT FROM free f WHERE f."profileId" = p.id);
  RETURN NULL;
END $$;

CREATE TRIGGER stamp_added AFTER INSERT ON "Memory"
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION stamp_lists();
CREATE TRIGGER stamp_changed AFTER UPDATE ON "Memory"
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION stamp_lists();
CREATE TRIGGER stamp_removed AFTER DELETE ON "Memory"
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION stamp_lists();

CREATE TRIGGER stamp_added AFTER INSERT ON "NamedValue"
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION stamp_lists();
CREATE TRIGGER stamp_changed AFTER UPDATE ON "NamedValue"
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION stamp_lists();
CREATE TRIGGER stamp_removed AFTER DELETE ON "NamedValue"
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION stamp_lists();

CREATE TRIGGER stamp_added AFTER INSERT ON "Proposal"
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION stamp_lists();
CREATE TRIGGER stamp_changed AFTER UPDATE ON "Proposal"
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION stamp_lists();
CREATE TRIGGER stamp_removed AFTER DELETE ON "Proposal"
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION stamp_lists();
