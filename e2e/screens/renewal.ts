import { expect, type Page } from '@playwright/test';
import { testStack } from '../env.ts';
import { ending, type Say } from '../texts.ts';

/** Page object of a subscription's last section: renewal off and on, past-due payment, reactivation. */
export function renewalScreen(page: Page, t: Say, language = 'en') {
  const beginning = (key: string) => t(key).split('{')[0]!.trim();
  const button = (key: string) => page.getByRole('button', { name: t(key), exact: true });
  return {
    open: (id: string) => page.goto(`${testStack().url}/#/${language}/management/subscription/${id}`),
    isOn: page.getByText(beginning('renewal.on')),
    /** Renewal is manual: the last payment method cannot be charged, so an invoice will come. */
    isManual: page.getByText(beginning('renewal.on.byHand')),
    isOff: page.getByText(beginning('renewal.off')),
    turnOn: button('renewal.turnOn'),
    pastDue: page.getByRole('link', {
      name: new RegExp(`^(${t('renewal.payOther')}|${beginning('order.pay')}.+)$`),
    }),
    /** Opens the payment page of the renewal. The page before has similar texts and a submit button too. */
    async payPastDue() {
      await this.pastDue.click();
      await expect(page.getByRole('heading', { level: 1, name: t('order.payment.title') })).toBeVisible();
    },
    /** Pays the past-due invoice with the default method, which the button names. */
    payWith: (method: string) =>
      page.getByRole('button', {
        name: new RegExp(`^${t('renewal.payNow').replace('{amount}', '.+').replace('{method}', method)}$`),
      }),
    /** Text on the billing page: the next saved card is charged with the past-due amount at once. */
    chargedAtOnce: page.getByText(ending(t('billing.card.owed'))),
    /** Text: the declined charge is retried. */
    isRetried: page.getByText(ending(t('renewal.owed.again'))),
    paid: page.getByText(t('renewal.paid')),
    nothingOwed: page.getByText(t('renewal.nothingOwed')),
    again: page.getByRole('link', { name: t('renewal.again'), exact: true }),
    hostIsSilent: page.getByText(t('subscription.hostUnreachable')),
    held: page.getByText(t('order.again.held').split('{')[1]!.split('}')[1]!.trim()),
    /** Checks the refund before they confirm. */
    async withdraw(country: string, back: string) {
      await button('withdrawal.open').click();
      const dialog = page.getByRole('dialog');
      const confirm = dialog.getByRole('button', { name: t('withdrawal.confirm'), exact: true });
      await expect(confirm).toBeDisabled();
      await dialog.getByLabel(t('withdrawal.country')).selectOption(country);
      await expect(dialog.getByText(back)).toBeVisible();
      await confirm.click();
      await expect(this.again).toBeVisible();
    },
    /** Reads that the subscription would end now, and keeps it. */
    async askToEndNow() {
      await button('renewal.turnOff').click();
      const dialog = page.getByRole('dialog', { name: t('renewal.ask.titleNow') });
      await expect(dialog.getByRole('button', { name: t('renewal.ask.endNow'), exact: true })).toBeVisible();
      await dialog.getByRole('button', { name: t('renewal.ask.keep'), exact: true }).click();
      await expect(dialog).toBeHidden();
    },
    /** Chooses reasons in the dialog, if any. */
    async turnOff(...reasons: string[]) {
      await button('renewal.turnOff').click();
      const dialog = page.getByRole('dialog');
      for (const reason of reasons) await dialog.getByLabel(t(`renewal.reason.${reason}`)).check();
      if (reasons.includes('other')) await dialog.getByLabel(t('renewal.ask.comment')).fill('Too far away');
      await dialog.getByRole('button', { name: t('renewal.turnOff'), exact: true }).click();
      await expect(this.isOff).toBeVisible();
    },
  };
}
