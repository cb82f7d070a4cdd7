-- Lists are read from the primary: nothing has to tell how fresh a replica is.
DROP TRIGGER stamp_added ON "Memory";
DROP TRIGGER stamp_changed ON "Memory";
DROP TRIGGER stamp_removed ON "Memory";
DROP TRIGGER stamp_added ON "NamedValue";
DROP TRIGGER stamp_changed ON "NamedValue";
DROP TRIGGER stamp_removed ON "NamedValue";
DROP TRIGGER stamp_added ON "Proposal";
DROP TRIGGER stamp_changed ON "Proposal";
DROP TRIGGER stamp_removed ON "Proposal";
DROP FUNCTION stamp_lists();
DROP TABLE "ListStamp";
