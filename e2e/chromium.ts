/** Debian's Chromium without its window, and without what would reach out of the machine. */
export const executablePath = '/usr/bin/chromium-headless-shell';
export const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
