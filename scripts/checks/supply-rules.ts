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

/** Licences under which a product may be sold that contains the package unchanged. */
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
  // Fonts, embedded; and libraries whose own files stay as they are.
  ...['OFL-1.1', 'MPL-2.0', 'PostgreSQL'],
];

/** Parts of tools that check the checkout. The product contains none of them, so another licence may do. */
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
 * Which packages have a licence that is not on the list, one line each.
 * @param packages of the lock file, by their path
 * @param refused path → licence of what is installed and has none of `licences`
 * @param isInstalled whether a path is there: packages for other platforms are not
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
    // One for another platform has the licence of those that are here, word for word.
    const found = isInstalled(path)
      ? refused.get(path)
      : known.has(license ?? '')
        ? undefined
        : (license ?? '');
    if (found === undefined || (dev && tools[name] === found)) return [];
    return [`${name}: licence ${found || 'unknown'} is not on the list`];
  });
}

/** What is wrong with a package of the lock file, apart from its licence. */
export function problemsOf(name: string, locked: Locked, allowScripts: Record<string, boolean>): string[] {
  const problems: string[] = [];
  // Everybody uses the registry that npm is set to.
  if (/^(https?|git)/.test(locked.resolved ?? ''))
    problems.push(`${name} names a download host: ${locked.resolved}`);
  if (!locked.link && !locked.integrity) problems.push(`${name} has no hash`);
  if (locked.hasInstallScript && !(name in allowScripts))
    problems.push(`${name} has an install script: decide on it in \`allowScripts\` of package.json`);
  return problems;
}

/** Whether a manifest names one version (perhaps of a package under another name) and no range, tag or address. */
export const isExact = (version: string): boolean =>
  /^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version);

/** Whether a file by its name holds secrets, which live outside the checkout. Content is Secretlint's matter. */
export const isSecretFile = (path: string): boolean =>
  /(^|\/)\.env($|\.(?!example))|\.(pem|key|p12|pfx)$/.test(path);
