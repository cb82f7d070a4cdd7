const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Names the browser and the system of a user agent: "Firefox on Windows". Its sender can forge it. */
export function deviceWords(userAgent: string | null): string {
  const named = (names: [RegExp, string][]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const browser = named(browsers);
  const system = named(systems);
  if (browser === undefined) return system === undefined ? "Unknown device" : `A ${system} device`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
