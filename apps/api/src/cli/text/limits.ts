import type { TextsOf } from './text.ts';

export const texts: TextsOf<'limits'> = {
  lift: ({ email, lifted }) =>
    lifted.length > 0
      ? `Lifted for ${email}: ${lifted.join(', ')}.`
      : `Nothing counts against ${email}. A wait may belong to the network or browser of whoever was refused.`,
};
