import type { GuideDevice } from './devices.ts';

const systems: [RegExp, GuideDevice['id']][] = [
  [/\biPhone\b|\biPad\b|\biPod\b/, 'ios'],
  [/\bAndroid\b/, 'android'],
  [/\bCrOS\b/, 'chromeos'],
  [/\bWindows\b/, 'windows'],
  [/\bMacintosh\b/, 'macos'],
  [/\bLinux\b/, 'linux'],
];

/** The device of this browser, by its user agent; the guide opens there. */
export function detectDevice(browser: { userAgent: string; maxTouchPoints: number }) {
  const detected = systems.find(([fits]) => fits.test(browser.userAgent))?.[1];
  // An iPad reports a Mac; no Mac has a touch screen.
  return detected === 'macos' && browser.maxTouchPoints > 1 ? 'ios' : detected;
}
