import {
  giveGoodwill,
  planGoodwill,
  planTakeBack,
  requireBelowCeiling,
  takeGoodwillBack,
} from '../../modules/billing/index.ts';
import { requireUnits } from './amounts.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'credit'> = {
  give: {
    async plan({ db, clock }, { input: { customer, currency, amount, aboveCeiling } }) {
      const { id, email, currency: used } = await planGoodwill(db, { customer, currency });
      requireUnits(used, amount);
      const credit = { customerId: id, currency: used, amount };
      if (!aboveCeiling) await requireBelowCeiling(db, clock.now(), credit);
      return { plan: { customerId: id, email, currency: used, amount } };
    },
    async execute({ db, clock, jobs, note }, { input, reason }, plan) {
      const { customerId, currency, amount } = plan;
      await giveGoodwill(
        { db, clock, jobs: await jobs() },
        { ...input, customer: customerId, currency, reason },
      );
      const { aboveCeiling } = input;
      note({
        subject: customerId,
        customerId,
        after: { currency, amount, ...(aboveCeiling && { aboveCeiling }) },
      });
      return plan;
    },
  },

  'take-back': {
    async plan({ db }, { input }) {
      const { id, email, currency } = await planTakeBack(db, {
        ...input,
        currency: input.currency,
      });
      requireUnits(currency, input.amount);
      return { plan: { customerId: id, email, currency, amount: input.amount } };
    },
    async execute({ db, clock, note }, _, plan) {
      const { customerId, currency, amount } = plan;
      await takeGoodwillBack(db, clock.now(), { customer: customerId, currency, amount });
      note({ subject: customerId, customerId, after: { currency, amount: -amount } });
      return plan;
    },
  },
};
