"use server";

import { z } from "zod";
import { act, adminActs } from "@/lib/http/session/admin";
import { idOf } from "@/lib/http/session/form-fields";
import { retryMail } from "@/lib/services/admin/system/outbox";

export const outboxAction = adminActs({
  retry: act(z.object({ id: idOf("msg", "a message") }), retryMail, "It is sent once more."),
});
