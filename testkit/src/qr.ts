import { createRequire } from 'node:module';
import type jsqr from 'jsqr';

// It is a CommonJS module whose types say that it has a default.
const jsQr = createRequire(import.meta.url)('jsqr') as typeof jsqr.default;

/**
 * What a phone reads out of a picture, dark on light. @param dots red, green, blue and alpha of each dot
 * @returns undefined where there is no code
 */
export const readQr = (dots: Uint8ClampedArray, width: number, height: number): string | undefined =>
  jsQr(dots, width, height, { inversionAttempts: 'dontInvert' })?.data;
