import type { TextsOf } from './text.ts';

export const texts: TextsOf<'master-key'> = {
  prepare: ({ file, wasThere }) =>
    [
      `${file} contains the next key beside the current one${wasThere ? ' already' : ''}.`,
      'Copy it to every other machine that runs the shop. Then run:\nnpm run shop -- master-key change',
    ].join('\n'),
  change: ({ file, earlier }) =>
    [
      `Every secret is encrypted with the new key. ${file} contains only that key: copy it to your safe place and to every other machine that runs the shop.`,
      `The previous key is in ${earlier}. Backups made before today need it: move it away from this machine, store it with them, and destroy it together with the last of them.`,
    ].join('\n'),
};
