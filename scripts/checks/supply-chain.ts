import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../env.ts';

/*
 * What we build on, and what must not be among it (S84). Writes the bill of materials (CycloneDX) to
 * `.cache/sbom.cdx.json`; fails for a licence or an install script that nobody decided on, and for a secret in the
 * checkout. `lockfile.ts` checks the lock file itself.
 */

interface Locked {
  version: string;
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
const isAllowed = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(/ OR /)
    .some(choice => choice.split(/ AND /).every(licence => licences.has(licence)));

const manifest = async <T>(path: string) => JSON.parse(await readFile(join(root, path), 'utf8')) as T;

const { packages } = await manifest<{ packages: Record<string, Locked> }>('package-lock.json');
const { version, allowScripts } = await manifest<{
  version: string;
  allowScripts: Record<string, boolean>;
}>('package.json');
const problems: string[] = [];

/** The lock file's word, or the package's own where the registry did not say. */
async function licenceOf(path: string, { license }: Locked): Promise<string | undefined> {
  if (license) return license;
  const own = await manifest<{ license?: string; licenses?: { type: string }[] }>(
    join(path, 'package.json'),
  ).catch(() => undefined);
  return own?.license ?? own?.licenses?.map(({ type }) => type).join(' OR ');
}

const components: object[] = [];
for (const [path, locked] of Object.entries(packages)) {
  if (!path.includes('node_modules/') || locked.link) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const licence = await licenceOf(path, locked);
  // A package of another platform is neither installed here nor described in the lock file.
  const absent = licence === undefined && locked.optional;
  if (!absent && !isAllowed(licence ?? ''))
    problems.push(`${name}: licence ${licence ?? 'unknown'} is not on the list`);
  if (locked.hasInstallScript && !(name in allowScripts)) {
    problems.push(`${name} has an install script: decide on it in \`allowScripts\` of package.json`);
  }
  const [algorithm, digest] = (locked.integrity ?? '').split('-');
  components.push({
    type: 'library',
    'bom-ref': `pkg:npm/${name.replace('@', '%40')}@${locked.version}`,
    name,
    version: locked.version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${locked.version}`,
    scope: locked.dev ? 'excluded' : locked.optional ? 'optional' : 'required',
    ...(licence && { licenses: [{ expression: licence }] }),
    ...(digest && {
      hashes: [
        {
          alg: algorithm!.toUpperCase().replace('SHA', 'SHA-'),
          content: Buffer.from(digest, 'base64').toString('hex'),
        },
      ],
    }),
  });
}

await mkdir(join(root, '.cache'), { recursive: true });
await writeFile(
  join(root, '.cache/sbom.cdx.json'),
  `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: { type: 'application', name: 'fixpoint', version } },
      components,
    },
    undefined,
    2,
  )}\n`,
);

/** Shapes of real secrets. A stand-in's keys are random and are made when it starts, so none belongs here. */
const secrets: Record<string, RegExp> = {
  'a live key of Stripe': /\b(sk|rk)_live_[A-Za-z0-9]{16,}/,
  'a webhook secret': /\bwhsec_[A-Za-z0-9+/]{24,}/,
  'a private key': /-----BEGIN (EC |RSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----\s*[A-Za-z0-9+/]{40,}/,
  'a key of AWS': /\bAKIA[A-Z0-9]{16}\b/,
  'a token of GitHub': /\bgh[pousr]_[A-Za-z0-9]{36}/,
  'a token of npm': /\bnpm_[A-Za-z0-9]{36}|_authToken\s*=/,
};
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(Boolean);
for (const file of files) {
  if (/(^|\/)\.env($|\.(?!example))|\.(pem|key|p12|pfx)$/.test(file))
    problems.push(`${file}: secrets live outside the checkout`);
  const text = await readFile(join(root, file), 'utf8').catch(() => '');
  for (const [what, shape] of Object.entries(secrets))
    if (shape.test(text)) problems.push(`${file} holds ${what}`);
}

for (const problem of problems) console.error(problem);
console.log(`${components.length} packages, ${files.length} files; .cache/sbom.cdx.json`);
if (problems.length > 0) process.exit(1);
