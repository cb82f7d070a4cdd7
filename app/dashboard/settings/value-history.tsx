import { Card } from "@/app/_components/card";
import { InertText } from "@/app/_components/shown/inert-text";
import { When } from "@/app/_components/shown/when";
import { categoryTitle } from "@/app/_components/words/category";
import { valueName } from "@/app/_components/words/value-name";
import type { Ctx } from "@/lib/services/context";
import { listValueChanges } from "@/lib/services/profile-values/history";

/** The latest changes of values, as the log has them: what was set and when, not the text. */
export async function ValueHistory({ ctx, did }: { ctx: Ctx; did: string }) {
  const changes = await listValueChanges(ctx, { did });
  if (changes.length === 0) return null;
  return (
    <Card title="What you changed lately">
      <ul className="flex flex-col gap-1">
        {changes.map((change) => (
          <li key={change.id} className="flex flex-wrap justify-between gap-x-4">
            <span>
              You {change.action}{" "}
              <InertText text={`“${valueName(change.name ?? change.member ?? "")}”`} />
              {change.category !== null && ` in ${categoryTitle(change.category)}`}
            </span>
            <span className="text-small text-muted">
              <When at={change.at} now={ctx.now} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
