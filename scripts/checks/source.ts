import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../env.ts';

/** Rules about lines and files that neither the formatter nor the import law can state. */
interface Rule {
  sentence: string;
  applies(path: string): boolean;
  forbidden: RegExp;
}

const isTest = (path: string) => /\.test\.tsx?$|\/testing\/|^packages\/testkit\//.test(path);
const rules: Rule[] = [
  {
    sentence: 'only an env.ts reads the environment',
    applies: path =>
      !/(^|\/)env\.ts$|\.mjs$|\.config\.ts$|^apps\/[^/]+\/src\/(.*\/)?main\.ts$/.test(path) && !isTest(path),
    forbidden: /\bprocess\.env\b/,
  },
  {
    sentence: 'time is an argument: only a clock asks for it',
    applies: path =>
      /^(apps\/(api|agent)|packages\/domain)\//.test(path) && !/clock\.ts$/.test(path) && !isTest(path),
    forbidden: /\bDate\.now\(\)|\bnew Date\(\)/,
  },
  {
    // S59. Migrations and the fixed names of the adapters are not input.
    sentence: 'SQL is bound, never put together: no sql.raw, no text with a value in it',
    applies: path => /^apps\/api\/src\/(?!adapters\/)/.test(path) && !isTest(path),
    forbidden: /\bsql\.(raw|lit)\b|\b(query|raw)\(\s*(`[^`]*\$\{|['"`][^'"`]*['"`]\s*\+)/,
  },
  {
    // S60. A shell would read what a customer wrote.
    sentence: 'programs get lists of arguments, never a line for a shell',
    applies: path => /^(apps|packages)\//.test(path) && !isTest(path),
    forbidden: /\bshell:\s*true\b|\bexecSync\(|\{[^}]*\bexec\b[^}]*\} from 'node:child_process'/,
  },
  {
    sentence: 'no path of the machine it was written on',
    applies: path => path !== 'scripts/checks/source.ts',
    forbidden: /\/(work|home|Users)\/[a-z]+\/|\/tmp\/[a-z]+\//,
  },
];

const tooLong = 350; // lines; a hint, not a failure

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  const nested = entries
    .filter(entry => !['node_modules', 'dist', '.cache'].includes(entry.name))
    .map(entry => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return filesBelow(path);
      return /\.(ts|tsx|mjs)$/.test(path) ? [path] : [];
    });
  return (await Promise.all(nested)).flat();
}

/** A file of nothing but re-exports hides who needs what. */
function isBarrel(path: string, text: string): boolean {
  if (/^apps\/api\/src\/modules\/[^/]+\/index\.ts$/.test(path)) return false;
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim();
  return (
    code !== '' &&
    code.replace(/export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\s+'[^']+';/g, '').trim() === ''
  );
}

function violations(path: string, text: string): string[] {
  const lines = text.split('\n');
  const found = rules
    .filter(rule => rule.applies(path))
    .flatMap(({ sentence, forbidden }) =>
      lines.flatMap((line, index) => (forbidden.test(line) ? [`${path}:${index + 1}: ${sentence}`] : [])),
    );
  return isBarrel(path, text) ? [...found, `${path}: no barrels: import from the file itself`] : found;
}

const folders = ['packages', 'apps', 'scripts', 'e2e', 'bench'];
const files = (await Promise.all(folders.map(filesBelow))).flat();
const problems: string[] = [];
for (const path of files) {
  const text = await readFile(join(root, path), 'utf8');
  problems.push(...violations(path, text));
  const length = text.split('\n').length;
  if (length > tooLong) console.log(`hint: ${path} has ${length} lines; smaller files say one thing`);
}
for (const problem of problems) console.error(problem);
console.log(`${files.length} files`);
if (problems.length > 0) process.exit(1);
