import { exportMonth } from '../../modules/books/index.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'export'> = {
  async month({ db, clock }, { input: { month } }) {
    const { content, ...rest } = await exportMonth(db, clock.now(), month);
    return { ...rest, content: new Uint8Array(content) };
  },
};
