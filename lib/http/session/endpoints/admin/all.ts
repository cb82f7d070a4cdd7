import { agentEndpoints } from "./agents";
import { gatewayEndpoints } from "./gateway";
import { profileEndpoints } from "./profiles";
import { userEndpoints } from "./users";

/** What a script of an admin's may call: routes, docs and tests read this table. */
export const adminEndpoints = {
  ...userEndpoints,
  ...profileEndpoints,
  ...agentEndpoints,
  ...gatewayEndpoints,
};
