import type { Browser, Page } from '@playwright/test';

/** One screenshot of a trace. `ink`: number of its dots below the top bar that differ from the background. */
export type Frame = { ms: number; ink: number };

type Trace = { traceEvents: { name: string; ts: number; args: { snapshot?: string } }[] };

/**
 * Records each frame that the page shows during `act`, from Chromium's own trace. Another page decodes the screenshots.
 */
export async function captureFrames(
  browser: Browser,
  page: Page,
  act: () => Promise<void>,
): Promise<Frame[]> {
  await browser.startTracing(page, { screenshots: true });
  await act();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as Trace;
  const pictures = trace.traceEvents.filter(event => event.name === 'Screenshot' && event.args.snapshot);
  const reader = await browser.newPage();
  const ink = await reader.evaluate<number[]>(
    `(${inksOf})(${JSON.stringify(pictures.map(each => each.args.snapshot))})`,
  );
  await reader.close();
  return pictures.map(({ ts }, at) => ({ ms: Math.round((ts - pictures[0]!.ts) / 1000), ink: ink[at]! }));
}

/** Runs in a page: counts the dots of each screenshot below the top bar whose colour is far from the background. */
const inksOf = `async pictures => {
  const inks = [];
  for (const data of pictures) {
    const picture = await createImageBitmap(await (await fetch('data:image/jpeg;base64,' + data)).blob());
    const draw = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    draw.drawImage(picture, 0, 0);
    const top = Math.round(picture.height * 0.1);
    const { data: dots } = draw.getImageData(0, top, picture.width, picture.height - top - 4);
    let ink = 0;
    for (let at = 0; at < dots.length; at += 4) if (dots[at] + dots[at + 1] + dots[at + 2] < 380) ink += 1;
    inks.push(ink);
  }
  return inks;
}`;
