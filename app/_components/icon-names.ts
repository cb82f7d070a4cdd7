/** The icons in public/icons.svg, which `node scripts/icons.mjs` writes. */
export const iconNames = [
  ...["house", "house-fill", "tray", "tray-fill", "hand", "hand-fill", "stack", "stack-fill"],
  ...["robot", "robot-fill", "signpost", "signpost-fill", "plugs-connected"],
  ...["plugs-connected-fill", "pulse", "pulse-fill", "gear", "gear-fill", "users", "users-fill"],
  ...["user-circle", "user-circle-fill", "gauge", "gauge-fill", "list-checks"],
  ...["list-checks-fill", "list", "eye", "eye-slash", "tray-arrow-down", "lock-simple-fill"],
  ...["shield-warning", "seal-check-fill", "seal-question", "equals", "approximate-equals"],
  ...["arrows-left-right"],
  ...["arrow-counter-clockwise", "check", "prohibit", "handshake", "pencil-simple", "sign-out"],
  ...["key", "ticket", "sliders-horizontal", "palette", "clock-counter-clockwise", "briefcase"],
  ...["heartbeat", "coins", "fingerprint", "users-three", "tag", "caret-down-bold"],
  ...["caret-up-down-bold", "magnifying-glass", "quotes-fill", "arrow-left", "book-open"],
  ...["dots-three-bold", "funnel-simple", "x", "plus", "arrow-right", "archive"],
  ...["trash", "hourglass", "warning"],
  ...["info", "question", "download-simple", "folder-simple", "shield-check", "power"],
  ...["file-text"],
] as const;
