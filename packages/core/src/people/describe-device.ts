type Sign = readonly [pattern: RegExp, name: string];

/** Ordered: browsers also claim the names of later ones for compatibility. */
const BROWSERS: readonly Sign[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/^(?=.*\bVersion\/\d).*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: readonly Sign[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

export interface Device {
  /** `Firefox on Linux` */
  name: string;
  isHandheld: boolean;
}

/** Describes a browser so that the user can recognize it. Browsers can give false information. */
export function describeDevice(userAgent: string | null): Device {
  const browser = find(BROWSERS, userAgent);
  const system = find(SYSTEMS, userAgent);
  const isHandheld = system === 'iPhone' || system === 'iPad' || system === 'Android';
  if (browser !== null && system !== null) return { name: `${browser} on ${system}`, isHandheld };
  return { name: browser ?? system ?? 'Unknown device', isHandheld };
}

function find(signs: readonly Sign[], userAgent: string | null): string | null {
  if (userAgent === null) return null;
  return signs.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}
