import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../env.ts';
import { isAllowed, type Locked, problemsOf, secretsIn } from './supply-rules.ts';

/*
 * What we build on, and what must not be among it (S84). Writes the bill of materials (CycloneDX) to
 * `.cache/sbom.cdx.json`; fails for a licence or an install script that nobody decided on, and for a secret in the
 * checkout. `lockfile.ts` compares the lock file with the manifests.
 */

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
  problems.push(...problemsOf(name, locked, allowScripts));
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

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter(Boolean);
for (const file of files) {
  if (/(^|\/)\.env($|\.(?!example))|\.(pem|key|p12|pfx)$/.test(file))
    problems.push(`${file}: secrets live outside the checkout`);
  const text = await readFile(join(root, file), 'utf8').catch(() => '');
  for (const what of secretsIn(text)) problems.push(`${file} holds ${what}`);
}

for (const problem of problems) console.error(problem);
console.log(`${components.length} packages, ${files.length} files; .cache/sbom.cdx.json`);
if (problems.length > 0) process.exit(1);
