import type { TextsOf } from './text.ts';

export const texts: TextsOf<'text'> = {
  set: ({ language, key, warnings }) => [`${key} is overridden in ${language}.`, ...warnings].join('\n'),
  unset: ({ language, key, removed }) =>
    removed ? `The override of ${key} in ${language} is removed.` : `${key} has no override in ${language}.`,
  list: ({ texts }) => texts.map(({ key, text, own }) => `${own ? '*' : ' '} ${key}  ${text}`).join('\n'),
};
