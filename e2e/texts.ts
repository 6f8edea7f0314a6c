import type { Language } from '@fixpoint/contract/languages.ts';
import { loadBundle } from '@fixpoint/texts/bundles.ts';

/** The shop's own texts: journeys find elements by the words that a customer of that language sees. */
export type Say = (key: string, args?: Record<string, string>) => string;

export const say =
  (language: Language): Say =>
  (key, args = {}) => {
    const message = loadBundle(language)[key];
    if (message === undefined) throw new Error(`no text ${key} in ${language}`);
    return message.replace(/\{(\w+)\}/g, (whole, name: string) => args[name] ?? whole);
  };

/** The part of a text after its last argument. */
export const ending = (text: string): string => text.slice(text.lastIndexOf('}') + 1).trim();
