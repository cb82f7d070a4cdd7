/** A backup or restore that cannot go on; `message` is one sentence that says what to do. */
export class BackupRefused extends Error {
  override name = "BackupRefused";
}
