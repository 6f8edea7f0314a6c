import { createHash } from 'node:crypto';
import { DEFAULT_LANGUAGE, isLanguage } from '@fixpoint/contract/languages.ts';
import type { Db } from '../../../ports/database.ts';
import type { Consent } from '../../../ports/json-columns.ts';
import { uiTexts } from '../../text/index.ts';

/**
 * What stands beside the fields of a card in a language: kept with the card, since a charge without its owner's hand
 * rests on it. Its version changes with every word.
 */
export async function cardConsent(db: Db, language: string): Promise<Consent> {
  const shown = isLanguage(language) ? language : DEFAULT_LANGUAGE;
  const text = (await uiTexts(db, shown))['order.card.consent']!;
  return { version: createHash('sha256').update(text).digest('hex').slice(0, 12), language: shown, text };
}
