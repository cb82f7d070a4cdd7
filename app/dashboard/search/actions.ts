"use server";

import { z } from "zod";
import { profileQueryAction } from "@/lib/http/session/action";
import { searchMax } from "@/lib/services/memories/browse";
import { findGroups } from "./found";

const Sought = z.object({
  words: z.string().max(searchMax),
  only: z.enum(["all", "memories"]),
});

export const searchAction = profileQueryAction(Sought, ({ ctx, who, profile, input }) =>
  findGroups({ ctx, who, profile }, input),
);
