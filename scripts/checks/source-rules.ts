/** A rule that neither the linter nor dependency-cruiser can express. */
interface Rule {
  sentence: string;
  applies(path: string): boolean;
  /** Searched for in the whole file, across line ends. */
  forbidden: RegExp;
}

const isTest = (path: string) => /\.test\.tsx?$|\/testing\/|^testkit\//.test(path);
/** These rules and their test contain what they forbid. */
const isOwn = (path: string) => path.startsWith('scripts/checks/source-rules');
const rules: Rule[] = [
  {
    sentence: 'only an env.ts reads the environment',
    applies: path =>
      !/(^|\/)env\.ts$|\.mjs$|\.config\.ts$|^apps\/[^/]+\/src\/(.*\/)?main\.ts$/.test(path) && !isTest(path),
    forbidden: /\bprocess\.env\b/,
  },
  {
    sentence: 'time is an argument: only a clock reads the system clock',
    applies: path =>
      /^(apps\/(api|agent)|packages\/domain)\//.test(path) && !/clock\.ts$/.test(path) && !isTest(path),
    forbidden: /\bDate\.now\(\)|\bnew Date\(\)/,
  },
  {
    // S59. A constant in capitals is no input.
    sentence: 'SQL binds its values: no sql.raw, no interpolation or concatenation',
    applies: path => /^apps\/(api|agent)\/src\//.test(path) && !isTest(path),
    forbidden:
      /\bsql\.raw\b|\bsql\.lit\((?!'[^']*'\))|\bsql\.(ref|id|table)\(\s*(?!['"])|\.(query|raw)\(\s*(`[^`]*\$\{(?![A-Z_]+\})|['"][^'"\n]*['"]\s*\+)/,
  },
  {
    // Kysely joins conditions with "and" and puts no parentheses around SQL text. Three levels of them are understood.
    sentence: 'put parentheses around an SQL condition with "or"',
    applies: path => /^(apps\/api|testkit)\//.test(path),
    forbidden: /\.(where|on|having)\(\s*sql(<\w+>)?`([^`()]|\(([^`()]|\(([^`()]|\([^`()]*\))*\))*\))*?\bor\b/,
  },
  {
    // S60. A shell would interpret a customer's input.
    sentence: 'programs get a list of arguments, never a shell command line',
    applies: path => /^(apps|packages)\//.test(path) && !isTest(path),
    forbidden: /\bshell:\s*true\b|\bexecSync\(|\{[^}]*\bexec\b[^}]*\} from 'node:child_process'/,
  },
  {
    // The check for cycles does not see inline imports of types.
    sentence: 'import types at the top of the file, not inline',
    applies: path => !isOwn(path),
    forbidden: /\btypeof import\(['"][.@]|\bimport\(['"][.@][^'"]*['"]\)\.(?!(then|catch|finally)\b)/,
  },
  {
    sentence: 'no retries: repair a flaky test (FC18)',
    applies: path => (isTest(path) && !isOwn(path)) || /\.(config|spec)\.ts$/.test(path),
    forbidden: /\bretr(y|ies):(?!\s*(0|false)\b)/,
  },
  {
    sentence: 'write an object out: no spread of an object literal (FC14)',
    applies: path => !isOwn(path),
    forbidden: /(?<!\{)\.\.\.\{/,
  },
  {
    sentence: 'no path of a developer’s machine',
    applies: path => !isOwn(path),
    forbidden: /\/(work|home|Users)\/[a-z]+\/|\/tmp\/[a-z]+\//,
  },
];

/** A file that only re-exports hides dependencies. */
function isBarrel(path: string, text: string): boolean {
  if (/^apps\/api\/src\/modules\/[^/]+\/([^/]+\/)?index\.ts$/.test(path)) return false;
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim();
  return (
    code !== '' &&
    code.replace(/export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\s+'[^']+';/g, '').trim() === ''
  );
}

/** Violations of a file, one line each. */
export function violations(path: string, text: string): string[] {
  const found = rules
    .filter(rule => rule.applies(path))
    .flatMap(({ sentence, forbidden }) =>
      Array.from(text.matchAll(new RegExp(forbidden, 'g')), ({ index }) => {
        const line = text.slice(0, index).split('\n').length;
        return `${path}:${line}: ${sentence}`;
      }),
    );
  return isBarrel(path, text) ? [...found, `${path}: no barrel files: import from the defining file`] : found;
}
