import { DataDirError, ROOM } from '@fixpoint/postgres/cluster.ts';
import { StartError } from './child.ts';
import { SettingsError } from './env.ts';

/** Error code of the file system → its meaning. */
const meanings: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENOTDIR: 'a part of it is a file',
  EEXIST: 'a file has that name',
};

/** Message for the operator about a failed start, with the remedy; undefined for a defect of the program. */
export function operatorMessage(error: unknown): string | undefined {
  if ([SettingsError, DataDirError, StartError].some(type => error instanceof type))
    return (error as Error).message;
  const { code = '', path } = error as NodeJS.ErrnoException;
  return meanings[code] && path ? `${path} cannot be written: ${meanings[code]}. ${ROOM}` : undefined;
}
