import { howToInstall, installMissing, missingPrograms } from './debian.ts';
import { givenEnv, readSettings, SettingsError } from './env.ts';

/** Browser of journeys and screenshots → its Debian package. */
export const browserPackages = { 'chromium-headless-shell': 'chromium-headless-shell' };

/**
 * Installs the browser if it is missing: as root on Debian, unless NO_INSTALL is set.
 *
 * @throws SettingsError with the command that installs it
 */
export async function installBrowser(show: (line: string) => void): Promise<void> {
  const missing = readSettings(givenEnv()).noInstall
    ? missingPrograms(Object.keys(browserPackages))
    : await installMissing(browserPackages, show);
  if (missing.length > 0) throw new SettingsError(howToInstall(missing, browserPackages));
}
