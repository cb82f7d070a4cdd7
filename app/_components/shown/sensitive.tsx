import { Icon } from "../icon";

export function Sensitive() {
  return (
    <span
      title="No template of rules opens it to agents"
      className="inline-flex items-center gap-1 rounded-key border border-sensitive bg-sensitive-soft px-1.5 text-small font-medium text-sensitive"
    >
      <Icon icon="shield-warning" className="size-4" />
      Sensitive
    </span>
  );
}
