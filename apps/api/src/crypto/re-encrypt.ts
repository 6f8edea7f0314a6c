import type { Db } from '../ports/database.ts';
import type { ReEncrypt } from './vault.ts';

/** How it went with sealed values that were looked at: those that another key had sealed, and those that none opens. */
export type Moved = { moved: number; lost: number };

/**
 * Moves what is sealed to the present master key, row after row, each by itself: whoever stops in the middle begins again,
 * and what is there already is left alone (S80).
 * @param page the rows after a key, in its order, a page of them; all that are there
 * @param move seals one row's values by `seal` and writes them if they are still what they were; whether there were any
 */
export async function moveEach<R extends { id: string }>(
  page: (after: string) => Promise<R[]>,
  move: (row: R, seal: ReEncrypt) => Promise<boolean>,
  reEncrypt: ReEncrypt,
): Promise<Moved> {
  const done = { moved: 0, lost: 0 };
  const seal: ReEncrypt = (sealed, context) => {
    try {
      return reEncrypt(sealed, context);
    } catch {
      done.lost += 1;
      return undefined;
    }
  };
  for (let rows = await page(''); rows.length > 0; rows = await page(rows.at(-1)!.id))
    for (const row of rows) if (await move(row, seal)) done.moved += 1;
  return done;
}

/** Rows of a page. */
export const PAGE = 500;

/** One after the other. */
export async function togetherMoved(
  db: Db,
  reEncrypt: ReEncrypt,
  moves: readonly ((db: Db, reEncrypt: ReEncrypt) => Promise<Moved>)[],
): Promise<Moved> {
  const all = { moved: 0, lost: 0 };
  for (const move of moves) {
    const { moved, lost } = await move(db, reEncrypt);
    all.moved += moved;
    all.lost += lost;
  }
  return all;
}
