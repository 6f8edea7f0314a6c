/** A package in `package-lock.json`. */
export interface Locked {
  version?: string;
  resolved?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
  hasInstallScript?: boolean;
}

/** Licences under which a product may be sold that contains the package unchanged. */
const licences = new Set([
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
]);
/** Whether an SPDX expression leaves a licence that we may take. */
export const isAllowed = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(/ OR /)
    .some(choice => choice.split(/ AND /).every(licence => licences.has(licence)));

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

/** Shapes of real secrets. A stand-in's keys are random and are made when it starts, so none belongs here. */
const shapes: Record<string, RegExp> = {
  'a live key of Stripe': /\b(sk|rk)_live_[A-Za-z0-9]{16,}/,
  'a webhook secret': /\bwhsec_[A-Za-z0-9+/]{24,}/,
  'a private key': /-----BEGIN (EC |RSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----\s*[A-Za-z0-9+/]{40,}/,
  'a key of AWS': /\bAKIA[A-Z0-9]{16}\b/,
  'a token of GitHub': /\bgh[pousr]_[A-Za-z0-9]{36}/,
  'a token of npm': /\bnpm_[A-Za-z0-9]{36}|_authToken\s*=/,
};

/** What a text holds that must not be in the checkout. */
export const secretsIn = (text: string): string[] =>
  Object.keys(shapes).filter(what => shapes[what]!.test(text));
