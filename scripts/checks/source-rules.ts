/** Rules about lines and files that neither the formatter nor the import law can state. */
interface Rule {
  sentence: string;
  applies(path: string): boolean;
  /** Looked for everywhere in a file, over the ends of lines too. */
  forbidden: RegExp;
}

const isTest = (path: string) => /\.test\.tsx?$|\/testing\/|^testkit\//.test(path);
/** These rules and their test say what they forbid. */
const isOwn = (path: string) => path.startsWith('scripts/checks/source-rules');
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
    // S59. A constant of ours, in capitals, is no input.
    sentence: 'SQL is bound, never put together: no sql.raw, no text with a value in it',
    applies: path => /^apps\/(api|agent)\/src\//.test(path) && !isTest(path),
    forbidden:
      /\bsql\.raw\b|\bsql\.lit\((?!'[^']*'\))|\bsql\.(ref|id|table)\(\s*(?!['"])|\.(query|raw)\(\s*(`[^`]*\$\{(?![A-Z_]+\})|['"][^'"\n]*['"]\s*\+)/,
  },
  {
    // S60. A shell would read what a customer wrote.
    sentence: 'programs get lists of arguments, never a line for a shell',
    applies: path => /^(apps|packages)\//.test(path) && !isTest(path),
    forbidden: /\bshell:\s*true\b|\bexecSync\(|\{[^}]*\bexec\b[^}]*\} from 'node:child_process'/,
  },
  {
    // FC15. The law against circles reads imports, and does not see these.
    sentence: 'a type of ours is imported at the top of its file, not where it is used',
    applies: path => !isOwn(path),
    forbidden: /\btypeof import\(['"][.@]|\bimport\(['"][.@][^'"]*['"]\)\.(?!(then|catch|finally)\b)/,
  },
  {
    sentence: 'no test is tried twice: one that fails now and then is mended (FC18)',
    applies: path => (isTest(path) && !isOwn(path)) || /\.(config|spec)\.ts$/.test(path),
    forbidden: /\bretr(y|ies):(?!\s*(0|false)\b)/,
  },
  {
    sentence: 'an object is written out: no part of it in an object of its own, to lay it out (FC14)',
    applies: path => !isOwn(path),
    forbidden: /(?<!\{)\.\.\.\{/,
  },
  {
    sentence: 'no path of the machine it was written on',
    applies: path => !isOwn(path),
    forbidden: /\/(work|home|Users)\/[a-z]+\/|\/tmp\/[a-z]+\//,
  },
];

/** A file of nothing but re-exports hides who needs what. */
function isBarrel(path: string, text: string): boolean {
  if (/^apps\/api\/src\/modules\/[^/]+\/([^/]+\/)?index\.ts$/.test(path)) return false;
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim();
  return (
    code !== '' &&
    code.replace(/export\s+(type\s+)?(\*|\{[^}]*\})(\s+as\s+\w+)?\s+from\s+'[^']+';/g, '').trim() === ''
  );
}

/** What is wrong with a file, one line each. */
export function violations(path: string, text: string): string[] {
  const found = rules
    .filter(rule => rule.applies(path))
    .flatMap(({ sentence, forbidden }) =>
      Array.from(text.matchAll(new RegExp(forbidden, 'g')), ({ index }) => {
        const line = text.slice(0, index).split('\n').length;
        return `${path}:${line}: ${sentence}`;
      }),
    );
  return isBarrel(path, text) ? [...found, `${path}: no barrels: import from the file itself`] : found;
}
