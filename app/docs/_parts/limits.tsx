import { engine } from "@/lib/engine/engine";
import { type LimitClass, limitClasses } from "@/lib/protocol/endpoints";
import { Table } from "./table";

const names: Record<LimitClass, string> = {
  profile: "Get Profile",
  access: "Request Access",
  propose: "Propose Memory",
  review: "Review Proposal",
  memories: "List Memories",
  proposals: "List Proposals",
};

/** Requests an hour for each endpoint, with what this gateway sets. */
export function Limits() {
  const values = engine().settings.values();
  const here: Record<LimitClass, number> = {
    profile: values.LIMIT_PROFILE,
    access: values.LIMIT_ACCESS,
    propose: values.LIMIT_PROPOSE,
    review: values.LIMIT_REVIEW,
    memories: values.LIMIT_MEMORIES,
    proposals: values.LIMIT_PROPOSALS,
  };
  const classes = Object.keys(limitClasses).filter((name): name is LimitClass => name in names);
  return (
    <Table
      caption="Requests an hour for each endpoint"
      head={["Endpoint", "By default", "On this gateway"]}
      rows={classes.map((name) => [names[name], String(limitClasses[name]), String(here[name])])}
    />
  );
}
