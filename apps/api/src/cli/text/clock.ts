import type { TextsOf } from './text.ts';

export const texts: TextsOf<'clock'> = {
  show: ({ now }) => now,
  advance: ({ now, stops }) => `The shop clock shows ${now}, after ${stops} stops.`,
};
