/** A package in `package-lock.json`. */
export interface Locked {
  version?: string;
  resolved?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  link?: boolean;
  hasInstallScript?: boolean;
}

/** Licences that allow selling a product with the unchanged package. */
export const licences = [
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'CC0-1.0',
  ],
  // Embedded fonts, and libraries with unchanged files.
  ...['OFL-1.1', 'MPL-2.0', 'PostgreSQL'],
];

/** Development tools that the product does not contain, and their other licences. */
const tools: Record<string, string> = {
  '@azu/style-format': 'WTFPL',
  argparse: 'Python-2.0',
  binaryextensions: 'Artistic-2.0',
  editions: 'Artistic-2.0',
  istextorbinary: 'Artistic-2.0',
  'spdx-exceptions': 'CC-BY-3.0',
  'spdx-ranges': '(MIT AND CC-BY-3.0)',
  textextensions: 'Artistic-2.0',
  'version-range': 'Artistic-2.0',
};

/** The name of a package by its path in the lock file. */
export const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * Packages without an allowed licence, one line each.
 * @param packages of the lock file, by path
 * @param refused path → licence of installed packages without one of `licences`
 * @param isInstalled whether the path exists: packages for other platforms do not
 */
export function licenceProblems(
  packages: Record<string, Locked>,
  refused: ReadonlyMap<string, string>,
  isInstalled: (path: string) => boolean,
): string[] {
  const foreign = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  const known = new Set(
    foreign
      .filter(([path]) => isInstalled(path) && !refused.has(path))
      .map(([, { license }]) => license)
      .filter(license => license !== undefined),
  );
  return foreign.flatMap(([path, { license, dev }]) => {
    const name = nameOf(path);
    // A package for another platform must declare exactly a licence of an installed package.
    const found = isInstalled(path)
      ? refused.get(path)
      : known.has(license ?? '')
        ? undefined
        : (license ?? '');
    if (found === undefined || (dev && tools[name] === found)) return [];
    return [`${name}: licence ${found || 'unknown'} is not on the list`];
  });
}

/** Faults of a package of the lock file, apart from its licence. */
export function problemsOf(name: string, locked: Locked, allowScripts: Record<string, boolean>): string[] {
  const problems: string[] = [];
  // Each user's npm configuration chooses the registry.
  if (/^(https?|git)/.test(locked.resolved ?? ''))
    problems.push(`${name} names a download host: ${locked.resolved}`);
  if (!locked.link && !locked.integrity) problems.push(`${name} has no hash`);
  if (locked.hasInstallScript && !(name in allowScripts))
    problems.push(`${name} has an install script: decide on it in \`allowScripts\` of package.json`);
  return problems;
}

/** Whether a manifest names a single version (or an alias of one) and no range, tag or URL. */
export const isExact = (version: string): boolean =>
  /^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version);

/** Whether a file's name is that of a secret. Secretlint checks contents. */
export const isSecretFile = (path: string): boolean =>
  /(^|\/)\.env($|\.(?!example))|\.(pem|key|p12|pfx)$/.test(path);
