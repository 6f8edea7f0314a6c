/** Debian's headless Chromium, without the features that connect to the internet. */
export const executablePath = '/usr/bin/chromium-headless-shell';
export const flags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
