import { holdsCardNumber } from '@fixpoint/contract/card-number.ts';
import { giveBack, giveBackAgain, planGiveBack } from '../modules/payment/index.ts';
import { inUnits, minorOf, moneyText } from './amount.ts';
import { type Command, readArgs, UsageError, withJobs } from './command.ts';
import { byHand, made } from './refund-booked.ts';

export const refund: Command = {
  usage: [
    {
      form: 'refund INVOICE [--amount 99.00] --reason TEXT',
      does: 'shows what would be given back of a paid invoice (without --amount: all that is left) and changes nothing',
    },
    {
      form: 'refund INVOICE [--amount 99.00] --reason TEXT --confirm CODE',
      does: 'gives it back: credit note, letter and refund; twice is once. The reason stands on the credit note',
    },
    {
      form: 'refund INVOICE [--amount 99.00] --reason TEXT --credit [--confirm CODE]',
      does: 'the same as credit of the customer, which his next payment uses first: no money moves',
    },
    {
      form: 'refund REFUND|CREDITNOTE --again',
      does: 'sends the money of a refund (ref_…) or a credit note once more, after that failed for good or its dispute was won; never credit',
    },
    {
      form: 'refund SUBJECT --by-hand --reason TEXT [--confirm CODE]',
      does: 'books what you have paid back from your own bank: of a refund that failed (ref_…), or what came beyond an invoice (inv_…), as attention names it. No provider is asked. The reason is for the books alone',
    },
    {
      form: 'refund INVOICE --made REF --amount 99.00 --reason TEXT [--confirm CODE]',
      does: 'books what you have given back at the provider itself, by its name there: in the place of a refund that failed, or with a credit note that says the reason',
    },
  ],
  async run(context, [number, ...rest]) {
    if (!number || number.startsWith('--')) throw new UsageError('INVOICE is missing');
    const given = readArgs(rest, ['amount', 'reason', 'confirm', 'made'], ['again', 'credit', 'by-hand']);
    if (given.has('again')) {
      await withJobs(context, deps => giveBackAgain(deps, number));
      return `The money of ${number} is on its way again.`;
    }
    const reason = given.option('reason').trim();
    if (!reason) throw new UsageError('--reason is missing');
    if (holdsCardNumber(reason)) throw new UsageError('--reason holds what looks like a card number');
    const code = given.optional('confirm');
    if (given.has('by-hand')) {
      if (given.has('credit') || given.optional('amount'))
        throw new UsageError('--by-hand books all that is due');
      return byHand(context, number, reason, code);
    }
    const ref = given.optional('made');
    if (ref) {
      if (given.has('credit')) throw new UsageError('--made is money that has gone back: no --credit');
      return made(context, number, { ref, amount: minorOf(given.option('amount')), reason }, code);
    }
    const asCredit = given.has('credit');
    const asked = { reason, amount: amountOf(given.optional('amount')), asCredit };
    const plan = await planGiveBack(context.db, number, asked);
    const money = (minor: number) => moneyText(minor, plan.currency);
    inUnits(plan.currency, plan.amount);
    if (!code) {
      return [
        `Invoice ${number}: paid ${money(plan.paid)}, of which ${money(plan.left)} can be given back.`,
        `Would give back ${money(plan.amount)} ${asCredit ? 'as credit of the customer' : 'the way it came'}, with a credit note that says: ${reason}`,
        'The subscription stays as it is.',
        `Nothing was done. To do it, the same again with: --confirm ${plan.code}`,
      ].join('\n');
    }
    const { creditNote } = await withJobs(context, deps => giveBack(deps, number, asked, code));
    const what = asCredit ? 'is credit of its customer now' : 'goes back';
    return `${money(plan.amount)} of ${number} ${what}: credit note ${creditNote}.`;
  },
};

const amountOf = (text: string | undefined) => (text === undefined ? undefined : minorOf(text));
