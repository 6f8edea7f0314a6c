import { InvalidInput } from '../../kernel/invalid-input.ts';
import { customerPage, findCustomers } from '../../modules/staff/index.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'customer'> = {
  async show({ db, noteRead }, { input: { search } }) {
    const matches = await findCustomers(db, search);
    const [only, ...others] = matches;
    if (!only) throw new InvalidInput(`No customer matches ${search}.`);
    if (others.length > 0) return { matches };
    noteRead(only.id);
    return { matches, customer: await customerPage(db, only.id) };
  },
};
