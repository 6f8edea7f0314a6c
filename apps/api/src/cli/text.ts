import { isLanguage, type Language, languageCodes } from '@fixpoint/contract/languages.ts';
import { overrideWarnings } from '../compose/undisplayable-texts.ts';
import { listTexts, setText, unsetText } from '../modules/text/index.ts';
import type { Db } from '../ports/database.ts';
import { type Command, noMore, UsageError } from './command.ts';

export const text: Command = {
  usage: [
    {
      form: 'text set LANG KEY TEXT',
      does: 'Overrides a text of the shop, within seconds on all nodes. The key region.ID names a region of yours.',
    },
    { form: 'text unset LANG KEY', does: 'Removes the override.' },
    {
      form: 'text list LANG [BEGINNING]',
      does: `Lists the texts whose key begins with BEGINNING; * marks overrides. LANG: ${languageCodes.join(', ')}. Keys of emails begin with email.`,
    },
  ],
  async run({ db }, args) {
    const [action, lang, key, words] = args;
    if (action !== 'set' && action !== 'unset' && action !== 'list')
      throw new UsageError('Use: text set, text unset or text list');
    if (!isLanguage(lang)) throw new UsageError(`${lang ?? 'nothing'} is not a language of the shop`);
    noMore(args, action === 'set' ? 4 : 3);
    if (action === 'list') return textList(db, lang, key);
    if (!key) throw new UsageError('KEY is missing');
    if (action === 'set') {
      if (!words) throw new UsageError('TEXT is missing');
      await setText(db, lang, key, words);
      return [`${key} is overridden in ${lang}.`, ...overrideWarnings(key, words)].join('\n');
    }
    const found = await unsetText(db, lang, key);
    return found ? `The override of ${key} in ${lang} is removed.` : `${key} has no override in ${lang}.`;
  },
};

async function textList(db: Db, language: Language, beginning = ''): Promise<string> {
  const texts = await listTexts(db, language);
  return texts
    .filter(({ key }) => key.startsWith(beginning))
    .map(({ key, text, own }) => `${own ? '*' : ' '} ${key}  ${text}`)
    .join('\n');
}
