import { accessEndpoints } from "./access";
import { activityEndpoints } from "./activity";
import { memoryEndpoints } from "./memories";
import { policyEndpoints } from "./policies";
import { profileEndpoints } from "./profiles";
import { proposalEndpoints } from "./proposals";
import { confirmingEndpoints } from "./session";
import { tokenEndpoints } from "./tokens";

/** The dashboard's API: routes, docs and tests read this table. Not part of the protocol. */
export const sessionEndpoints = {
  ...profileEndpoints,
  ...proposalEndpoints,
  ...memoryEndpoints,
  ...policyEndpoints,
  ...accessEndpoints,
  ...tokenEndpoints,
  ...activityEndpoints,
  ...confirmingEndpoints,
};
