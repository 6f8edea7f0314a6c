import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { say } from '../texts.ts';

const t = say('en');

/** `/management/subscription/{id}`: the address and the keys. */
export function subscriptionScreen(page: Page) {
  return {
    keyName: page.getByLabel(t('keys.add.label')),
    row: (name: string) => page.getByRole('row').filter({ hasText: name }),
    async addKey(name: string) {
      await this.keyName.fill(name);
      await page.getByRole('button', { name: t('keys.add') }).click();
    },
    /** The downloaded file: its name and what is in it. */
    async download(name: string) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: t('keys.download.label', { name }) }).click();
      const file = await download;
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
    },
    async delete(name: string) {
      await page.getByRole('button', { name: t('keys.delete.label', { name }) }).click();
      const dialog = page.getByRole('dialog', { name: t('keys.delete.title', { name }) });
      await dialog.getByRole('button', { name: t('keys.delete.confirm', { name }) }).click();
    },
  };
}
