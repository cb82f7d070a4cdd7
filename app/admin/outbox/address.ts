import { z } from "zod";
import { param, searchParams } from "@/lib/http/session/address/search-params";
import { listed } from "../_parts/admin-list";

export const outboxAddress = searchParams("/admin/outbox", {
  ...listed,
  state: param(z.enum(["waiting", "done", "given_up"])),
});

export const stateWords = { waiting: "Waits", done: "Done", given_up: "Given up" } as const;
