/**
 * Browser and operating system that a user recognises: no version, no model, nothing that tracks.
 */
export type Device = { browser: string | null; system: string | null };

// The first match wins, because most browsers also name the ones they descend from.
const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPT\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(Headless)?Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b|\biPod\b/, 'iOS'],
  [/\biPad\b/, 'iPadOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** @param userAgent the header of the same name, which may contain anything */
export function deviceOf(userAgent: string | undefined): Device {
  const said = (userAgent ?? '').slice(0, 512);
  const first = (names: [RegExp, string][]) => names.find(([fits]) => fits.test(said))?.[1] ?? null;
  return { browser: first(BROWSERS), system: first(SYSTEMS) };
}
