import { moneyText } from '../../kernel/money-text.ts';
import type { TextsOf } from './text.ts';

export const texts: TextsOf<'refund'> = {
  invoice: {
    plan({ number, currency, paid, left, amount, reason }, { credit, byHand }) {
      const money = (minor: number) => moneyText(minor, currency);
      const how = credit
        ? 'as credit of the customer'
        : byHand
          ? 'as paid from your own bank'
          : 'by the original payment method';
      return [
        `Invoice ${number}: paid ${money(paid)}, of which ${money(left)} can be refunded.`,
        `Would refund ${money(amount)} ${how}, with a credit note that says: ${reason}`,
        'The subscription stays as it is.',
      ].join('\n');
    },
    done({ number, currency, amount, creditNote }, { credit, byHand }) {
      const what = credit ? 'is now credit of its customer' : byHand ? 'is booked' : 'is refunded';
      return `${moneyText(amount, currency)} of ${number} ${what}: credit note ${creditNote}.`;
    },
  },
  due: {
    plan({ subject, currency, amount, reason, coinsOf }, { writeOff }) {
      const money = moneyText(amount, currency);
      if (coinsOf)
        return [
          `${money} that paid ${coinsOf} are gone.`,
          'Would book that as a lost dispute: with a credit note and its email for what they paid. Credit that they became is taken back, and the rest is written off.',
          'Wait a day for the coins to come back first.',
        ].join('\n');
      return [
        `${money} of ${subject} are due to its payer.`,
        writeOff
          ? `Would write ${money} off, as nobody can be paid: ${reason}`
          : `Would book that you refunded ${money} from your own bank: ${reason}`,
        'The money that the provider holds stays there.',
        ...(writeOff ? [] : ['Pay it first.']),
      ].join('\n');
    },
    done({ subject, currency, amount, coinsOf }, { writeOff }) {
      const money = moneyText(amount, currency);
      if (coinsOf) return `${money} of ${coinsOf} are booked as lost.`;
      return writeOff
        ? `${money} of ${subject} are written off.`
        : `Booked an out-of-band refund: ${money} of ${subject}.`;
    },
  },
  book: {
    plan: ({ number, ref, provider, currency, amount, reason, pays }) =>
      [
        `${ref} at ${provider} refunds ${moneyText(amount, currency)} of ${number}.`,
        pays
          ? `Would book it in place of ${pays}, which failed.`
          : `Would book it with a credit note that says: ${reason}`,
      ].join('\n'),
    done: ({ number, ref, currency, amount }) =>
      `Booked ${ref}: ${moneyText(amount, currency)} of ${number}.`,
  },
  again: {
    plan: ({ refund, currency, amount }) =>
      `Would send ${moneyText(amount, currency)} of ${refund} again, by the original payment method. If the cause is not removed, it fails again.`,
    done: ({ refund, currency, amount }) => `${moneyText(amount, currency)} of ${refund} are sent again.`,
  },
};
