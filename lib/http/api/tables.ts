import { agentEndpoints } from "./admin/agents";
import { backupEndpoints } from "./admin/backups";
import { gatewayEndpoints } from "./admin/gateway";
import { profileEndpoints as anyProfileEndpoints } from "./admin/profiles";
import { userEndpoints } from "./admin/users";
import { accessEndpoints } from "./owner/access";
import { activityEndpoints } from "./owner/activity";
import { memoryEndpoints } from "./owner/memories";
import { policyEndpoints } from "./owner/policies";
import { profileEndpoints } from "./owner/profiles";
import { proposalEndpoints } from "./owner/proposals";
import { confirmingEndpoints } from "./owner/session";
import { tokenEndpoints } from "./owner/tokens";

/** The API for owners' scripts. Dispatcher, docs and tests read this table. */
export const ownerApi = {
  ...profileEndpoints,
  ...proposalEndpoints,
  ...memoryEndpoints,
  ...policyEndpoints,
  ...accessEndpoints,
  ...tokenEndpoints,
  ...activityEndpoints,
  ...confirmingEndpoints,
};

/** The API for admins' scripts. */
export const adminApi = {
  ...userEndpoints,
  ...anyProfileEndpoints,
  ...agentEndpoints,
  ...gatewayEndpoints,
  ...backupEndpoints,
};
