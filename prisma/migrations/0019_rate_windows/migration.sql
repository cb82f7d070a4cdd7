-- From here on a window goes with the last of its hits. Those that stand idle from before go now.
DELETE FROM "RateWindow" w
WHERE NOT EXISTS (SELECT FROM "RateHit" h WHERE h.caller = w.caller AND h.class = w.class);
