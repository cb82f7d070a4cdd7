import { answerUnknownPath, type RouteFunction } from "@/lib/http/protocol-route";

/** The exported function of app/prof that answers this method and target. */
export function protocolRoute(): RouteFunction {
  return answerUnknownPath;
}
