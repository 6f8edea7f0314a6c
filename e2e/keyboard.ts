import { expect, type Frame, type Locator, type Page } from '@playwright/test';

/** More stops than any page has. */
const MOST = 80;
/** Past its last stop the focus leaves the page: that is waited for no longer than a few seconds. */
const LOOKS = 50;
const LOOK_MS = 100;

const isStop = (frame: Frame): Promise<boolean> =>
  frame
    .evaluate<boolean>(
      `document.hasFocus() && !['BODY', 'IFRAME'].includes(document.activeElement?.tagName ?? 'BODY')`,
    )
    .catch(() => false);

/** A customer who has no pointer: what Tab never reaches he cannot use. */
export function keyboard(page: Page) {
  const isHere = (target: Locator) =>
    target.evaluate(it => (it as { matches(selector: string): boolean }).matches(':focus'));
  /** To the next stop. A frame of somebody else's gets the focus in a process of its own, later than the page knows of it. */
  const tab = async () => {
    await page.keyboard.press('Tab');
    const stops = async () => (await Promise.all(page.frames().map(isStop))).some(Boolean);
    for (let looks = 0; looks < LOOKS && !(await stops()); looks += 1) await page.waitForTimeout(LOOK_MS);
  };
  return {
    tab,
    /** Goes on from where he is until it has the focus. */
    async reach(target: Locator): Promise<void> {
      await target.waitFor();
      for (let stops = 0; stops < MOST && !(await isHere(target)); stops += 1) await tab();
      await expect(target).toBeFocused();
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
