import { statfs } from 'node:fs/promises';

/** Free bytes of a folder's disk for this user. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
