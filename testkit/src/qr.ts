import { createRequire } from 'node:module';
import type jsqr from 'jsqr';

// The types of this CommonJS module wrongly declare a default export.
const jsQr = createRequire(import.meta.url)('jsqr') as typeof jsqr.default;

/**
 * Decodes a QR code, dark on light, as a phone does. @param dots red, green, blue and alpha of each dot
 * @returns undefined without a code
 */
export const readQr = (dots: Uint8ClampedArray, width: number, height: number): string | undefined =>
  jsQr(dots, width, height, { inversionAttempts: 'dontInvert' })?.data;
