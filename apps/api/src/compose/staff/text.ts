import { listTexts, setText, unsetText } from '../../modules/text/index.ts';
import { overrideWarnings } from '../undisplayable-texts.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'text'> = {
  async set({ db, note }, { input: { language, key, text } }) {
    await setText(db, language, key, text);
    note({ subject: `${language} ${key}`, after: { text } });
    return { language, key, warnings: overrideWarnings(key, text) };
  },
  async unset({ db, note }, { input: { language, key } }) {
    const removed = await unsetText(db, language, key);
    note({ subject: `${language} ${key}`, after: { text: null } });
    return { language, key, removed };
  },
  async list({ db }, { input: { language, beginning = '' } }) {
    const texts = await listTexts(db, language);
    return { texts: texts.filter(({ key }) => key.startsWith(beginning)) };
  },
};
