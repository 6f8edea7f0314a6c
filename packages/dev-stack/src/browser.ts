import { howToInstall, missingPrograms, provide } from './debian.ts';
import { givenEnv, readSettings, SettingsError } from './env.ts';

/** The browser of journeys and pictures → its Debian package. */
export const browserPackages = { 'chromium-headless-shell': 'chromium-headless-shell' };

/**
 * Installs the browser where it is missing: as root on Debian, unless NO_INSTALL is set.
 *
 * @throws SettingsError that says what to install
 */
export async function provideBrowser(show: (line: string) => void): Promise<void> {
  const missing = readSettings(givenEnv()).noInstall
    ? missingPrograms(Object.keys(browserPackages))
    : await provide(browserPackages, show);
  if (missing.length > 0) throw new SettingsError(howToInstall(missing, browserPackages));
}
