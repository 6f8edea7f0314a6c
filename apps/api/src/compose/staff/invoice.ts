import { planReplacement, replaceInvoice } from '../../modules/billing/index.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'invoice'> = {
  replace: {
    async plan({ db }, { input: { number } }) {
      const { customerId, company } = await planReplacement(db, number);
      const { name, taxId } = company;
      return { plan: { number, customerId, name, ...(taxId && { taxId }) } };
    },
    async execute({ db, clock, note }, { input: { number }, reason }, { customerId }) {
      // The task for due documents renders and emails it within a minute.
      const replacement = await db
        .transaction()
        .execute(tx => replaceInvoice(tx, clock.now(), number, reason));
      note({ subject: number, customerId, after: { replacement } });
      return { number, replacement };
    },
  },
};
