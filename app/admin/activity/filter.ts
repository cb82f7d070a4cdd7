import { z } from "zod";
import { param, place, searchParams, words } from "@/lib/http/session/address/search-params";
import { adminVerbs } from "../words/admin-event";

export const subjectMax = 200;
const day = param(z.iso.date());

export const activityAddress = searchParams("/admin/activity", {
  admin: words(60),
  verb: param(z.enum(adminVerbs)),
  subject: words(subjectMax),
  from: day,
  to: day,
  before: place,
});

export type ActivityValues = ReturnType<typeof activityAddress.read>;

const dayMs = 24 * 60 * 60_000;

/** What the service is asked for; days are days of UTC, both of them included. */
export function filterOf({ admin, verb, subject, from, to }: ActivityValues) {
  return {
    adminId: admin,
    verb,
    subject,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(new Date(to).getTime() + dayMs),
  };
}
