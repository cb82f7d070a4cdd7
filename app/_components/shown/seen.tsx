import { When } from "./when";

interface LastSeenProps {
  since: Date;
  lastSeenAt: Date | null;
  now: Date;
}

/** Since when somebody is here, and when they were last seen. */
export function LastSeen({ since, lastSeenAt, now }: LastSeenProps) {
  return (
    <>
      since <When at={since} now={now} /> ·{" "}
      {lastSeenAt === null ? (
        "never seen"
      ) : (
        <>
          seen <When at={lastSeenAt} now={now} />
        </>
      )}
    </>
  );
}

interface LifespanProps {
  of: { state: "active" | "expired" | "revoked"; expiresAt: Date; revokedAt: Date | null };
  now: Date;
}

/** "Active, ends in 7 days", "Revoked 2 hours ago" */
export function Lifespan({ of: { state, expiresAt, revokedAt }, now }: LifespanProps) {
  const isActive = state === "active";
  const word = { active: "Active", expired: "Expired", revoked: "Revoked" }[state];
  return (
    <>
      <span className="font-medium text-ink">{word}</span>
      {isActive ? ", ends " : " "}
      <When at={isActive ? expiresAt : (revokedAt ?? expiresAt)} now={now} />
    </>
  );
}
