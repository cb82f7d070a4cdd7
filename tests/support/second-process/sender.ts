import { createEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import { deliverySinks } from "@/lib/services/gateway-jobs";
import { startDeliveries } from "@/server/deliveries";

// A process of its own that sends mails and webhook messages as a gateway does, until it is killed.
startDeliveries(createEngine(loadEnv()), deliverySinks);
process.stdout.write("sending\n");
