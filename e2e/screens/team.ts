import type { Page } from '@playwright/test';
import type { Say } from '../texts.ts';

/** Page object: the section of My account about who works in it. */
export function teamScreen(page: Page, t: Say) {
  const section = page.locator('#team');
  const dialog = page.getByRole('dialog');
  return {
    alone: page.getByRole('heading', { name: t('team.alone.title') }),
    table: section.getByRole('table'),
    row: (email: string) => section.getByRole('row').filter({ hasText: email }),
    removal: (email: string) => section.getByRole('button', { name: t('team.remove.label', { email }) }),
    async invite(email: string, role: 'member' | 'buyer' | 'owner') {
      await section.getByRole('button', { name: t('team.invite') }).click();
      await dialog.getByLabel(t('login.email')).fill(email);
      await dialog.getByRole('radio', { name: t(`team.role.${role}`) }).check();
      await dialog.getByRole('button', { name: t('team.invite.send') }).click();
      await page.getByText(t('team.invited', { email })).waitFor();
    },
    async remove(email: string) {
      await section.getByRole('button', { name: t('team.remove.label', { email }) }).click();
      await dialog.getByText(t('team.remove.text', { email })).waitFor();
      await dialog.getByRole('button', { name: t('team.remove'), exact: true }).click();
      await page.getByText(t('team.removed', { email })).waitFor();
    },
    async handOver() {
      await section.getByRole('button', { name: t('team.handOver.submit') }).click();
      await dialog.getByRole('button', { name: t('team.handOver.submit') }).click();
    },
  };
}
