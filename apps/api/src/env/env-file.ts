import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { looksMisspelt, misspelt } from './misspelt.ts';

/** A file of settings as Node reads it, and where the operator may have meant something else. */
export interface EnvFile {
  values: NodeJS.Dict<string>;
  /** One line each, beginning with the name of the setting. */
  problems: string[];
}

/** The file as such is at fault; the message is for the operator. */
export class EnvFileError extends Error {
  override name = 'EnvFileError';
}

/** Reads a file of settings; empty if it does not exist. @throws EnvFileError if it cannot be read */
export function readEnvFile(path: string): EnvFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { values: {}, problems: [] };
    throw new EnvFileError(
      code === 'EACCES'
        ? `${path}: this user may not read it. Run the command as the file's owner, or as root give the file to this user: chown "$USER" ${path}`
        : `${path} cannot be read: ${code === 'EISDIR' ? 'it is a folder' : message}`,
    );
  }
  return { values: parseEnv(text), problems: cutValues(text) };
}

/** Values that an unquoted # cuts or removes, because it begins a comment, one line each. Does not quote them: they may be secrets. */
export function cutValues(text: string): string[] {
  const values = parseEnv(text);
  return text.split(/\r?\n/).flatMap(line => {
    const [, name, value = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*)$/.exec(line) ?? [];
    // A line inside of a quoted value is no setting.
    return name && name in values && !/^["'`]/.test(value) && /[^\s#]#|^#[^\s#]/.test(value)
      ? [
          `${name}: the value ends at its #, which begins a comment. Put it into quotes. Example: ${name}="a#b"`,
        ]
      : [];
  });
}

/** The files of `node --env-file`, from which this process has its environment. */
function envFilesOf(execArgv: readonly string[]): string[] {
  return execArgv.flatMap((option, index) => {
    const [, file] = /^--env-file(?:-if-exists)?(?:=(.+))?$/.exec(option) ?? [];
    if (file) return [file];
    return /^--env-file(-if-exists)?$/.test(option) ? [execArgv[index + 1]!] : [];
  });
}

/** Settings of this process that their file cuts, one line each. The environment overrides a file. */
export const cutSettings = (
  source: NodeJS.ProcessEnv,
  execArgv: readonly string[] = process.execArgv,
): string[] =>
  envFilesOf(execArgv)
    .map(readEnvFile)
    .flatMap(({ values, problems }) =>
      problems.filter(line => {
        const [name] = /^\w+/.exec(line)!;
        return (source[name] ?? '') === values[name];
      }),
    );

/** Warnings about names that no program reads, in the file and in the environment of this process. */
export function misspeltSettings(
  source: NodeJS.ProcessEnv,
  execArgv: readonly string[] = process.execArgv,
): string[] {
  const inFiles = envFilesOf(execArgv).flatMap(file => Object.keys(readEnvFile(file).values));
  const near = Object.keys(source).filter(name => looksMisspelt(name));
  return misspelt([...new Set([...inFiles, ...near])], []);
}
