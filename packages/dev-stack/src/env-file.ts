import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** `.env` as Node reads it, and where the operator may have meant something else. */
export interface EnvFile {
  values: NodeJS.Dict<string>;
  /** One line each, beginning with the name of the setting. */
  problems: string[];
}

/** The file as such is at fault; the message is for the operator. */
export class EnvFileError extends Error {
  override name = 'EnvFileError';
}

/** Reads `.env`; empty if it does not exist. @throws EnvFileError if it cannot be read */
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

/** Values that end early, because an unquoted # begins a comment. Does not quote them: they may be secrets. */
const cutValues = (text: string): string[] =>
  text.split(/\r?\n/).flatMap(line => {
    const [, name, value = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*)$/.exec(line) ?? [];
    return name && !/^["'`]/.test(value) && /[^\s#]#/.test(value)
      ? [
          `${name}: the value ends at its #, which begins a comment in .env. Put it into quotes. Example: ${name}="a#b"`,
        ]
      : [];
  });
