import { holdsCardNumber } from '@fixpoint/contract/card-number.ts';
import { giveGoodwill, planGoodwill } from '../modules/billing/index.ts';
import { inUnits, minorOf, moneyText } from './amount.ts';
import { type Command, noMore, readArgs, UsageError, withJobs } from './command.ts';

export const credit: Command = {
  usage: [
    {
      form: 'credit CUSTOMER AMOUNT [CURRENCY] --reason TEXT',
      does: 'Gives a customer (id or email address) goodwill credit, such as 50.00, in the currency that they pay in. Their next payment uses it first, and an email tells them. The reason stays in the books; the same credit within a day is refused.',
    },
  ],
  async run(context, args) {
    const options = args.findIndex(arg => arg.startsWith('--'));
    const plain = options < 0 ? args : args.slice(0, options);
    noMore(plain, 3);
    const [customer, amountText, currency] = plain;
    if (!customer) throw new UsageError('CUSTOMER is missing');
    if (!amountText) throw new UsageError('AMOUNT is missing');
    const reason = readArgs(args.slice(plain.length), ['reason']).option('reason').trim();
    if (!reason) throw new UsageError('--reason is missing');
    if (holdsCardNumber(reason)) throw new UsageError('--reason contains what looks like a card number');
    const given = { customer, currency: currency?.toUpperCase(), amount: minorOf(amountText), reason };
    inUnits((await planGoodwill(context.db, given)).currency, given.amount);
    const { email, currency: used } = await withJobs(context, deps => giveGoodwill(deps, given));
    return `${email} has ${moneyText(given.amount, used)} more credit. An email notifies them.`;
  },
};
