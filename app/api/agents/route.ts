import { admitNewcomer } from "@/lib/http/admission";
import { readBody } from "@/lib/http/body";
import { protocolRequestOf } from "@/lib/http/protocol-request";
import { answer } from "@/lib/http/reply";
import { registerAgent } from "@/lib/services/agents/register";
import { contextOf } from "@/lib/services/context";

/** An agent registers itself, with a request signed by the key that it brings. Protocol 1. */
export function POST(request: Request): Promise<Response> {
  return answer(request, async (context) => {
    const incoming = protocolRequestOf(request);
    const body = await readBody(incoming.body);
    const registration = await admitNewcomer(context, { incoming, body });
    const { engine, now, requestId } = context;
    const { isNew, ...data } = await registerAgent(
      { ...contextOf(engine, { kind: "nobody" }), now, requestId },
      { ...registration, mode: engine.settings.values().AGENT_REGISTRATION },
    );
    return { status: isNew ? 201 : 200, data };
  });
}
