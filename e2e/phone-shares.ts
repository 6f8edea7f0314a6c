import type { Page } from '@playwright/test';

/** A file that a page passed to the phone's share sheet. */
type Shared = { name: string; type: string; file: Buffer };

/** Adds a share sheet to the browser, which ours lacks. Call it before the page is opened. */
export async function phoneShares(page: Page) {
  await page.addInitScript(`
    window.shared = [];
    window.unchosen = 0;
    navigator.canShare = ({ files }) => files.every(file => file instanceof File);
    navigator.share = async ({ files: [file] }) => {
      if (window.closesUnchosen) {
        window.unchosen += 1;
        throw new DOMException('Share canceled', 'AbortError');
      }
      const bytes = String.fromCharCode(...new Uint8Array(await file.arrayBuffer()));
      window.shared.push({ name: file.name, type: file.type, file: btoa(bytes) });
    };
  `);
  return {
    /** From now on the person closes the share sheet without a choice. */
    closeUnchosen: () => page.evaluate('void (window.closesUnchosen = true)'),
    closed: () => page.evaluate<number>('window.unchosen'),
    shared: async (): Promise<Shared[]> => {
      const files = await page.evaluate<(Omit<Shared, 'file'> & { file: string })[]>('window.shared');
      return files.map(({ file, ...of }) => ({ ...of, file: Buffer.from(file, 'base64') }));
    },
  };
}
