import type { Instrumentation } from "next";
import { pageFailed } from "@/lib/http/page-failure";

export const onRequestError: Instrumentation.onRequestError = pageFailed;
