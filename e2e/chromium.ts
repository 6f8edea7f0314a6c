/** Debian's Chromium without what would reach out of the machine. */
export const executablePath = '/usr/bin/chromium';
export const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
