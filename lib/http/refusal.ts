import type { GatewayError } from "@/lib/protocol/errors";
import { openExchange } from "./exchange";
import type { Fields } from "./incoming";
import { fail, type Reply } from "./reply";

// An answer to what no route will ever see: it failed before it could say who it is.
export function refuse(headers: Fields, error: GatewayError): Reply {
  const exchange = openExchange(headers);
  const { peerGuard } = exchange.engine;
  peerGuard.charge(exchange.peer, exchange.now);
  return fail({ ...exchange, standing: peerGuard.standing(exchange.peer, exchange.now) }, error);
}
