const kilobyte = 1_024;
const megabyte = 1_024 * kilobyte;

/** "12.6 KB", "340 MB" */
export function sizeWords(bytes: number): string {
  const [size, unit] = bytes < megabyte ? [kilobyte, "KB"] : [megabyte, "MB"];
  return `${(bytes / size).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}
