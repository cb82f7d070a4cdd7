export const latestVersion = "1.0";
export const supportedVersions: readonly string[] = [latestVersion];

/** Returns the version for a PROF-Version header; null if unsupported. Protocol 8. */
export function resolveVersion(header: string | null | undefined): string | null {
  if (header === null || header === undefined) return latestVersion;
  return header === "1" || header === "1.0" ? latestVersion : null;
}
