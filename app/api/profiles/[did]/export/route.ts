import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { exportProfile } from "@/lib/services/archive/export";

export const GET = sessionRoute(sessionEndpoints.exportProfile, async ({ ctx, params }) => {
  const pieces = await exportProfile(ctx, params);
  return new Response(streamOf(pieces), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="profile.json"',
      "Cache-Control": "private, no-store",
    },
  });
});

// A piece is read when the one before it is on its way.
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
