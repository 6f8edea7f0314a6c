import { exportMonth } from '../../modules/books/index.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'export'> = {
  month: ({ db, clock }, { input: { month } }) => exportMonth(db, clock.now(), month),
};
