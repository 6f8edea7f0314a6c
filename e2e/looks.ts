/** A language with the screen that a journey is tried on: the gate takes the first. */
export const desktopAndThaiPhone = [
  ['en', { viewport: { width: 1280, height: 900 } }],
  ['th', { viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'th-TH' }],
] as const;
