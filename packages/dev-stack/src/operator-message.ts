import { DataDirError, ROOM } from '@fixpoint/postgres/cluster.ts';
import { StartError } from './child.ts';
import { SettingsError } from './env.ts';

/** What the system says of a file that cannot be written → what it means. */
const refused: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENOTDIR: 'a part of it is a file',
  EEXIST: 'a file has that name',
};

/** What an operator reads about a start that failed, with what to do; undefined for a fault of the program. */
export function operatorMessage(error: unknown): string | undefined {
  if ([SettingsError, DataDirError, StartError].some(type => error instanceof type))
    return (error as Error).message;
  const { code = '', path } = error as NodeJS.ErrnoException;
  return refused[code] && path ? `${path} cannot be written: ${refused[code]}. ${ROOM}` : undefined;
}
