import { canariesStayHidden, grantsDecide, limitsHold, noncesWorkOnce } from "./access";
import { allIsWellSoon, everyCallIsAnswered, onlyDeclaredFaultsShow } from "./answers";
import type { Invariant } from "./evidence";
import { everythingHappened } from "./happened";
import { accessLogsVerify, logsTellNothing, nothingPilesUp } from "./traces";
import { approvalsMakeOneMemory, decisionsStand, proposalsExist } from "./writes";

export const invariants: Invariant[] = [
  proposalsExist,
  approvalsMakeOneMemory,
  noncesWorkOnce,
  decisionsStand,
  grantsDecide,
  limitsHold,
  canariesStayHidden,
  onlyDeclaredFaultsShow,
  everyCallIsAnswered,
  allIsWellSoon,
  logsTellNothing,
  accessLogsVerify,
  nothingPilesUp,
  everythingHappened,
];
