import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { type Say, say } from '../texts.ts';

/** Page object of `/management/subscription/{id}`: address and devices. */
export function subscriptionScreen(page: Page, t: Say = say('en')) {
  const sheet = (name: string) => page.getByRole('dialog', { name: t('devices.setUp.label', { name }) });
  return {
    keyName: page.getByLabel(t('devices.label')),
    /** Sheet that leads from a device to a connection. */
    sheet,
    row: (name: string) => page.getByRole('row').filter({ hasText: name }),
    async addKey(name: string) {
      await this.keyName.fill(name);
      await page.getByRole('button', { name: t('devices.add') }).click();
      await sheet(name)
        .getByRole('button', { name: t('app.close') })
        .click();
    },
    /** The downloaded file: its name and content. */
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
