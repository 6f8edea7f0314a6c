import type { Browser, Page } from '@playwright/test';

/** A picture of the window at a moment of a trace. `ink`: how many of its dots under the bar belong to something. */
export type Frame = { ms: number; ink: number };

type Trace = { traceEvents: { name: string; ts: number; args: { snapshot?: string } }[] };

/**
 * What the eye saw while something happened, frame by frame: Chromium's own trace of the page, whose pictures another
 * page reads.
 */
export async function framesOf(browser: Browser, page: Page, act: () => Promise<void>): Promise<Frame[]> {
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

/** Runs in a page: of each picture the dots that are far from the colour of the page's ground, below the top bar. */
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
