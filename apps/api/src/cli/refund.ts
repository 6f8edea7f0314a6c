import { holdsCardNumber } from '@fixpoint/contract/card-number.ts';
import { openShopClock } from '../adapters/shop-clock.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { undisplayableIn } from '../compose/undisplayable-texts.ts';
import { planRefund, refundInvoice, requireBooked, retryRefund } from '../modules/payment/index.ts';
import { inUnits, minorOf, moneyText } from './amount.ts';
import { askedBooks } from './asked-books.ts';
import { dashboardRefund, outOfBandRefund } from './book-refund.ts';
import { type Command, readArgs, UsageError, withJobs } from './command.ts';
import { lostCoins } from './lost-coins.ts';

export const refund: Command = {
  usage: [
    {
      form: 'refund INVOICE [--amount 99.00] --reason TEXT',
      does: 'Shows what would be refunded of a paid invoice (without --amount: all that is left). Changes nothing and prints the code for --confirm.',
    },
    {
      form: 'refund INVOICE [--amount 99.00] --reason TEXT --confirm CODE',
      does: 'Refunds it, with a credit note and an email. The same code never refunds twice. The reason is printed on the credit note.',
    },
    {
      form: 'refund INVOICE [--amount 99.00] --reason TEXT --credit [--confirm CODE]',
      does: 'Turns it into credit of the customer, which their next payment uses first. No money moves.',
    },
    {
      form: 'refund REFUND|CREDITNOTE --again',
      does: 'Sends the money of a refund (ref_…) or credit note again after it failed for good or its dispute was won. Credit is never sent.',
    },
    {
      form: 'refund SUBJECT --by-hand --reason TEXT [--confirm CODE]',
      does: 'Books an out-of-band refund that you paid from your own bank: for a failed refund (ref_…), or for an unapplied payment (inv_…), as its alert names it. No gateway is asked. The customer gets an email. The reason stays in the books.',
    },
    {
      form: 'refund INVOICE [--amount 99.00] --by-hand --reason TEXT [--confirm CODE]',
      does: 'Books a refund of a paid invoice that you paid from your own bank, because its gateway refunds it no more, with a credit note that says the reason.',
    },
    {
      form: 'refund SUBJECT --write-off --reason TEXT [--confirm CODE]',
      does: 'Writes off a failed refund (ref_…) or an unapplied payment (inv_…) whose payer cannot be paid, or coins that a longer chain took back (att_…): those with a credit note, and as for a lost dispute.',
    },
    {
      form: 'refund INVOICE --made REF --amount 99.00 --reason TEXT [--confirm CODE]',
      does: 'Books a refund that you made at the gateway itself; REF is its ID there. It replaces a failed refund, or comes with a credit note that says the reason.',
    },
  ],
  async run(context, [number, ...rest]) {
    if (!number || number.startsWith('--')) throw new UsageError('INVOICE is missing');
    const given = readArgs(
      rest,
      ['amount', 'reason', 'confirm', 'made'],
      ['again', 'credit', 'by-hand', 'write-off'],
    );
    if (given.has('again')) {
      await withJobs(context, deps => retryRefund(deps, number));
      return `The refund of ${number} is sent again.`;
    }
    const reason = given.option('reason').trim();
    if (!reason) throw new UsageError('--reason is missing');
    if (holdsCardNumber(reason)) throw new UsageError('--reason contains what looks like a card number');
    const code = given.optional('confirm');
    const writtenOff = given.has('write-off');
    const byHand = given.has('by-hand');
    if (writtenOff || (byHand && /^(ref|inv)_/.test(number))) {
      if (given.has('credit') || given.optional('amount') || (writtenOff && byHand))
        throw new UsageError(
          'This books everything that is due: leave out --credit, --amount and other ends',
        );
      return number.startsWith('att_')
        ? lostCoins(context, number, code)
        : outOfBandRefund(context, number, { reason, writtenOff }, code);
    }
    const unseen = undisplayableIn(reason);
    if (unseen) throw new UsageError(`--reason: the credit note cannot show ${unseen}. Write it without`);
    const ref = given.optional('made');
    if (ref) {
      if (given.has('credit')) throw new UsageError('--made books a refund of money: leave out --credit');
      return dashboardRefund(context, number, { ref, amount: minorOf(given.option('amount')), reason }, code);
    }
    const asCredit = given.has('credit');
    if (asCredit && byHand) throw new UsageError('--by-hand books money: leave out --credit');
    const asked = { reason, amount: amountOf(given.optional('amount')), asCredit, byHand };
    const clock = await openShopClock(context.db, systemClock);
    const plan = await planRefund({ db: context.db, clock }, number, asked);
    if (!asCredit) await requireBooked(context.db, await askedBooks(context.source, clock), number);
    const money = (minor: number) => moneyText(minor, plan.currency);
    inUnits(plan.currency, plan.amount);
    if (!code) {
      return [
        `Invoice ${number}: paid ${money(plan.paid)}, of which ${money(plan.left)} can be refunded.`,
        `Would refund ${money(plan.amount)} ${asCredit ? 'as credit of the customer' : byHand ? 'as paid from your own bank' : 'by the original payment method'}, with a credit note that says: ${reason}`,
        'The subscription stays as it is.',
        `Nothing was changed. To do it, run the same command with: --confirm ${plan.code}`,
      ].join('\n');
    }
    const { creditNote } = await withJobs(context, deps => refundInvoice(deps, number, asked, code));
    const what = asCredit ? 'is now credit of its customer' : byHand ? 'is booked' : 'is refunded';
    return `${money(plan.amount)} of ${number} ${what}: credit note ${creditNote}.`;
  },
};

const amountOf = (text: string | undefined) => (text === undefined ? undefined : minorOf(text));
