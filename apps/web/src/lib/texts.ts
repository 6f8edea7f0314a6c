import { type Language, languages } from '@fixpoint/contract/languages.ts';
import type en from '@fixpoint/texts/bundles/en.json';
import { useCallback } from 'react';
import { api } from './api.ts';
import { shownLanguage } from './language.ts';
import { formatMessage, icuReady, loadIcu, type MessageArguments, needsIcu } from './message.ts';
import { localStore, readJson } from './storage.ts';
import { createStore, useStore } from './store.ts';

/** Keys known to the compiler, and the families whose members the server or a field rule names. */
export type TextKey = keyof typeof en | `errorCode.${string}` | `form.${string}`;
export type Translate = (key: TextKey, args?: MessageArguments) => string;

type Bundle = { version: string; uiText: Record<string, string> };
type Shown = Bundle & { language: Language };

const shown = createStore<Shown | undefined>(undefined);
const cacheKey = (language: Language) => `uiText.${language}`;
let wanted: Language | undefined;

function show(language: Language, bundle: Bundle) {
  if (language !== wanted) return;
  shownLanguage.set(language);
  document.documentElement.lang = languages[language].tag;
  shown.set({ language, ...bundle });
}

/**
 * Shows a language: at once from the cache, else after its texts have arrived; the language before stays on the screen
 * until then. The cache is compared with the server's version in the background (spec section 1).
 */
export async function showLanguage(language: Language): Promise<void> {
  wanted = language;
  const cached = readJson<Bundle>(localStore, cacheKey(language));
  if (cached) show(language, cached);
  const fetched = fetchTexts(language, cached?.version);
  if (!cached) await fetched;
  // With a cache there is nothing to tell: the shop works on with the texts it has.
  else fetched.catch(() => undefined);
}

async function fetchTexts(language: Language, cachedVersion: string | undefined) {
  const bundle = await api.text.uiText({ query: { lang: language } });
  if (bundle.version === cachedVersion) return;
  localStore.write(cacheKey(language), JSON.stringify(bundle));
  show(language, bundle);
}

/** The text of a key in the language on the screen; the key itself where the bundle lacks it. */
export function translate(key: TextKey, args?: MessageArguments): string {
  const state = shown.get();
  const message = state?.uiText[key];
  if (!state || message === undefined) return key;
  if (needsIcu(message) && !icuReady.get()) {
    loadIcu();
    return '';
  }
  return formatMessage(message, languages[state.language].tag, args);
}

/** `translate` for components: they are drawn again when the language or its texts change. */
export function useText(): Translate {
  const state = useStore(shown);
  const ready = useStore(icuReady);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function is the signal to draw again
  return useCallback((key, args) => translate(key, args), [state, ready]);
}

/** Whether the texts have a key that only the server can name. */
export const hasText = (key: string): boolean => shown.get()?.uiText[key] !== undefined;

/** The explanation of a code for a customer; the general apology where the catalogue has none. */
export const errorText = (code: string): string =>
  translate(hasText(`errorCode.${code}`) ? `errorCode.${code}` : 'errorCode.9900');
