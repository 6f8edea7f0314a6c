import { expect, type Locator, type Page } from '@playwright/test';

/** More stops than any page has. */
const MOST = 80;

/** A customer who has no pointer: what Tab never reaches he cannot use. */
export function keyboard(page: Page) {
  const isHere = (target: Locator) =>
    target.evaluate(it => (it as { matches(selector: string): boolean }).matches(':focus'));
  return {
    /** Goes on from where he is until it has the focus. */
    async reach(target: Locator): Promise<void> {
      await target.waitFor();
      for (let stops = 0; stops < MOST && !(await isHere(target)); stops += 1)
        await page.keyboard.press('Tab');
      await expect(target).toBeFocused({ timeout: 1000 });
    },
    async press(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
      await this.reach(target);
      await page.keyboard.press(key);
    },
    async type(target: Locator, text: string): Promise<void> {
      await this.reach(target);
      await page.keyboard.type(text);
    },
    /** One of a group, from the chosen one on. */
    async choose(chosen: Locator, wanted: Locator): Promise<void> {
      await this.reach(chosen);
      for (let moves = 0; moves < 10 && !(await wanted.isChecked()); moves += 1)
        await page.keyboard.press('ArrowDown');
      await expect(wanted).toBeChecked();
    },
  };
}
