import { expect, type Page } from '@playwright/test';
import { testStack } from '../env.ts';
import type { Say } from '../texts.ts';

/** Page object of `/management/subscription/:id/upgrade`: another plan and its preview. */
export function upgradeScreen(page: Page, t: Say, language = 'en') {
  const part = (key: string, index = 0) =>
    t(key)
      .split(/\{[^}]*\}/)
      [index]!.trim();
  const radio = (plan: 'solo' | 'plus' | 'team') =>
    page.getByRole('radio', { name: t(`plans.name.${plan}`) });
  return {
    radio,
    open: (id: string) => page.goto(`${testStack().url}/#/${language}/management/subscription/${id}/upgrade`),
    choose: (plan: 'solo' | 'plus' | 'team') => radio(plan).check(),
    /** Amount to pay now, as shown. */
    async due(): Promise<string> {
      const row = page.locator('dl > div').filter({ hasText: t('order.summary.due') });
      return (await row.locator('dd').first().textContent())!.replace(/\s+/g, ' ');
    },
    goToPayment: page.getByRole('link', { name: t('upgrade.pay'), exact: true }),
    /** Link to change the location or the term. */
    elsewhere: page.getByRole('link', { name: t('upgrade.elsewhere.choose'), exact: true }),
    plan: page.getByRole('button', { name: part('upgrade.plan') }),
    undo: page.getByRole('button', { name: t('upgrade.planned.undo'), exact: true }),
    async isOn(plan: 'solo' | 'plus' | 'team') {
      await expect(radio(plan)).toBeChecked();
    },
  };
}
