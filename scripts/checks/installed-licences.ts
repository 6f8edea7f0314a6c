import { relative } from 'node:path';
import { init } from 'license-checker-rseidelsohn';

/**
 * Installed packages below a folder without an allowed licence: path → licence. Does not use `onlyAllow`, which searches for
 * substrings and would accept "MIT AND AGPL-3.0-only".
 */
export async function licencesOtherThan(
  allowed: readonly string[],
  folder: string,
): Promise<Map<string, string>> {
  const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>();
  const options = { start: folder, excludePrivatePackages: true, unknown: true };
  init({ ...options, excludeLicenses: allowed.join(',') }, (error, packages) => {
    if (error) return reject(error);
    const found = Object.values(packages).map(
      ({ path, licenses }) => [relative(folder, path!), [licenses].flat().join(' OR ')] as const,
    );
    resolve(new Map(found));
  });
  return promise;
}
