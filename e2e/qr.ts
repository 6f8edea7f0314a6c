import { readQr } from '@fixpoint/testkit/qr.ts';
import type { Page } from '@playwright/test';

type Picture = { width: number; height: number; dots: string };

/** Decodes the QR code in an image file, which the page draws. */
export async function readPicture(page: Page, file: Buffer): Promise<string | undefined> {
  const { width, height, dots } = await page.evaluate<Picture>(`(${dotsOf})('${file.toString('base64')}')`);
  return readQr(new Uint8ClampedArray(Buffer.from(dots, 'base64')), width, height);
}

/** Runs in the page. */
const dotsOf = `async file => {
  const bytes = Uint8Array.from(atob(file), sign => sign.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const { width, height } = picture;
  const draw = new OffscreenCanvas(width, height).getContext('2d');
  draw.drawImage(picture, 0, 0);
  const { data } = draw.getImageData(0, 0, width, height);
  let dots = '';
  for (let at = 0; at < data.length; at += 8192) dots += String.fromCharCode(...data.subarray(at, at + 8192));
  return { width, height, dots: btoa(dots) };
}`;
