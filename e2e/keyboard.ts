import { expect, type Frame, type Locator, type Page } from '@playwright/test';

/** More stops than any page has. */
const MOST = 80;
/** Polls for the focus. Past the last stop the focus leaves the page, so waiting ends after a few seconds. */
const LOOKS = 50;
const LOOK_MS = 100;

const isStop = (frame: Frame): Promise<boolean> =>
  frame
    .evaluate<boolean>(
      `document.hasFocus() && !['BODY', 'IFRAME'].includes(document.activeElement?.tagName ?? 'BODY')`,
    )
    .catch(() => false);

/** A customer without a pointer: what Tab does not reach they cannot use. */
export function keyboard(page: Page) {
  const isHere = (target: Locator) =>
    target.evaluate(it => (it as { matches(selector: string): boolean }).matches(':focus'));
  /** Moves to the next stop. A frame of another origin gets the focus in its own process, later than the page knows. */
  const tab = async () => {
    await page.keyboard.press('Tab');
    const stops = async () => (await Promise.all(page.frames().map(isStop))).some(Boolean);
    for (let looks = 0; looks < LOOKS && !(await stops()); looks += 1) await page.waitForTimeout(LOOK_MS);
  };
  return {
    tab,
    /** Tabs on from the current stop until the target has the focus. */
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
    /** Chooses one of a group, starting from the chosen one. */
    async choose(chosen: Locator, wanted: Locator): Promise<void> {
      await this.reach(chosen);
      for (let moves = 0; moves < 10 && !(await wanted.isChecked()); moves += 1)
        await page.keyboard.press('ArrowDown');
      await expect(wanted).toBeChecked();
    },
  };
}
