import { moneyText } from '../../kernel/money-text.ts';
import type { TextsOf } from './text.ts';

export const texts: TextsOf<'credit'> = {
  give: {
    plan: ({ email, amount, currency }) =>
      `Would give ${email} ${moneyText(amount, currency)} of credit, and email them.`,
    done: ({ email, amount, currency }) =>
      `${email} has ${moneyText(amount, currency)} more credit. An email notifies them.`,
  },
  'take-back': {
    plan: ({ email, amount, currency }) =>
      `Would take ${moneyText(amount, currency)} of credit back from ${email}.`,
    done: ({ email, amount, currency }) => `${email} has ${moneyText(amount, currency)} less credit.`,
  },
};
