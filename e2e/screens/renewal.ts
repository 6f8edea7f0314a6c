import { expect, type Page } from '@playwright/test';
import { testStack } from '../env.ts';
import { ending, type Say } from '../texts.ts';

/** The last section of a subscription: turned off and on, what is owed, taken up again. */
export function renewalScreen(page: Page, t: Say, language = 'en') {
  const beginning = (key: string) => t(key).split('{')[0]!.trim();
  const button = (key: string) => page.getByRole('button', { name: t(key), exact: true });
  return {
    open: (id: string) => page.goto(`${testStack().url}/#/${language}/management/subscription/${id}`),
    isOn: page.getByText(beginning('renewal.on')),
    /** What paid the last time cannot be charged: an invoice will come. */
    isOnByHand: page.getByText(beginning('renewal.on.byHand')),
    isOff: page.getByText(beginning('renewal.off')),
    turnOn: button('renewal.turnOn'),
    owed: page.getByRole('link', { name: t('renewal.payOther') }),
    /** Goes to the page on which it is paid. The page before says much of the same, and has a button that sends as well. */
    async payOwed() {
      await this.owed.click();
      await expect(page.getByRole('heading', { level: 1, name: t('order.payment.title') })).toBeVisible();
    },
    /** Pays what is owed by what renewals are charged to, which stands on the button. */
    payWith: (method: string) =>
      page.getByRole('button', { name: t('renewal.payNow').replace('{method}', method), exact: true }),
    /** On the page of what is saved: what is owed is charged to the next card. */
    chargedAtOnce: page.getByText(ending(t('billing.card.owed'))),
    /** What was refused is tried again. */
    isTriedAgain: page.getByText(ending(t('renewal.owed.again'))),
    paid: page.getByText(t('renewal.paid')),
    nothingOwed: page.getByText(t('renewal.nothingOwed')),
    again: page.getByRole('link', { name: t('renewal.again'), exact: true }),
    hostIsSilent: page.getByText(t('subscription.hostUnreachable')),
    held: page.getByText(t('order.again.held').split('{')[1]!.split('}')[1]!.trim()),
    /** Sees what comes back before he agrees. */
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
    /** Reads that it would end now, and keeps it. */
    async askToEndNow() {
      await button('renewal.turnOff').click();
      const dialog = page.getByRole('dialog', { name: t('renewal.ask.titleNow') });
      await expect(dialog.getByRole('button', { name: t('renewal.ask.endNow'), exact: true })).toBeVisible();
      await dialog.getByRole('button', { name: t('renewal.ask.keep'), exact: true }).click();
      await expect(dialog).toBeHidden();
    },
    /** Says why in the dialog, where he wants to. */
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
