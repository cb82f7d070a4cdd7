export const stateWords = {
  pending: "Waits for approval",
  active: "Active",
  suspended: "Suspended",
} as const;
