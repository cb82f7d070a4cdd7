import { expect, test } from "vitest";
import { verdictOf } from "./verdict";

test.each([
  [
    { intact: true, sealed: 1_234, unsealed: 3, dropped: 0, broken: null },
    "Intact. 1,234 sealed events are as written. 3 newer events will be sealed within a minute or so.",
  ],
  [
    { intact: true, sealed: 1, unsealed: 0, dropped: 0, broken: null },
    "Intact. 1 sealed event is as written.",
  ],
  [
    { intact: true, sealed: 3, unsealed: 0, dropped: 40, broken: null },
    "Intact. 3 sealed events are as written. 40 older events ended with the time that this gateway keeps them, as the log itself says.",
  ],
  [
    { intact: true, sealed: 0, unsealed: 0, dropped: 0, broken: null },
    "Nothing has been sealed yet.",
  ],
  [
    {
      intact: false,
      sealed: 16,
      unsealed: 0,
      dropped: 0,
      broken: { position: 17, eventId: "evt_1" },
    },
    "Not intact. Event 17 was changed, or the one before it is missing (evt_1). 16 sealed events are before it, as written. Tell an admin of this gateway.",
  ],
  [
    { intact: false, sealed: 2, unsealed: 0, dropped: 0, broken: { position: 3, eventId: null } },
    "Not intact. Event 3 and what came after it are missing. 2 sealed events are before it, as written. Tell an admin of this gateway.",
  ],
])("%j is told in words", (found, words) => {
  expect(verdictOf(found)).toEqual({ intact: found.intact, words });
});
