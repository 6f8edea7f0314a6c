import { DEFAULT_LANGUAGE, type Language, languages } from '@fixpoint/contract/languages.ts';
import type en from '@fixpoint/texts/bundles/en.json';
import { formatMessage, type MessageArguments } from '@fixpoint/texts/page-message.ts';
import { loadPart, shared } from '@fixpoint/ui/lib/chunk.ts';
import { pause } from '@fixpoint/ui/lib/pause.ts';
import { localStore, readJson } from '@fixpoint/ui/lib/storage.ts';
import { createStore, useStore } from '@fixpoint/ui/lib/store.ts';
import { useCallback } from 'react';
import { shownLanguage } from '../routing/language.ts';
import { api } from '../server/api.ts';
import { unsupportedDebitIssuers } from '../server/config.ts';

/** Keys known to the compiler, and families of keys that the server or a field rule names. */
export type TextKey = keyof typeof en | `errorCode.${string}` | `form.${string}`;
export type Translate = (key: TextKey, args?: MessageArguments) => string;

type Texts = Readonly<Record<string, string>>;
type Bundle = { version: string; uiText: Texts };
type Shown = Bundle & { language: Language };

const shown = createStore<Shown | undefined>(undefined);
const cacheKey = (language: Language) => `uiText.${language}`;

/** Cached texts of an earlier visit; undefined if the entry is not ours. */
function cachedBundle(language: Language): Bundle | undefined {
  const bundle = readJson<Partial<Bundle>>(localStore, cacheKey(language));
  return bundle?.version && bundle.uiText ? { version: bundle.version, uiText: bundle.uiText } : undefined;
}
/** Language requested last, and when it is on the screen. */
let wanted: { language: Language; shown: Promise<void> } | undefined;

/** Built-in English, the last resort: a chunk that only a page without texts loads. */
const builtIn = createStore<Texts | undefined>(undefined);
const loadBuiltIn = shared(async () =>
  builtIn.set((await loadPart(() => import('@fixpoint/texts/bundles/en.json'))).default),
);

function show(language: Language, bundle: Bundle) {
  if (language !== wanted?.language) return;
  shownLanguage.set(language);
  document.documentElement.lang = languages[language].tag;
  shown.set({ language, ...bundle });
}

/** How long cached texts wait for the server to say that they are the current ones, ms. */
const CHECK_MS = 1000;

/**
 * Switches the language when its texts have arrived, or when the server has said that the cached
 * ones are current; until then the old language stays. Where it says nothing within a second, the
 * cached ones are shown, and updated in the background. Throws if the old language stays for
 * good; a first page without texts falls back to the built-in English.
 */
export function showLanguage(language: Language): Promise<void> {
  if (wanted?.language === language) return wanted.shown;
  const request = { language, shown: Promise.resolve() };
  wanted = request;
  request.shown = loadLanguage(language).catch(error => {
    if (wanted === request) wanted = undefined;
    throw error;
  });
  return request.shown;
}

/** Shows cached texts, for a page that cannot reach the shop. */
export function showCachedTexts(language: Language): void {
  const cached = cachedBundle(language);
  if (!cached) return;
  wanted = { language, shown: Promise.resolve() };
  show(language, cached);
  wanted = undefined;
}

async function loadLanguage(language: Language): Promise<void> {
  const cached = cachedBundle(language);
  const fetched = fetchTexts(language, cached?.version);
  if (cached) {
    // A failure needs no message: the shop works with the texts it has.
    const newer = await Promise.race([fetched.catch(() => false), pause(CHECK_MS)]);
    if (!newer) show(language, cached);
    return;
  }
  try {
    await fetched;
  } catch (error) {
    if (shown.get()) throw error;
    await loadBuiltIn();
    show(language, { version: '', uiText: builtIn.get()! });
    document.documentElement.lang = languages[DEFAULT_LANGUAGE].tag;
  }
}

/** @returns whether the server had texts of another version, which are shown then */
async function fetchTexts(language: Language, version: string | undefined): Promise<boolean> {
  const { uiText, ...bundle } = await api.text.uiText({ query: { lang: language, version } });
  if (!uiText) return false;
  localStore.write(cacheKey(language), JSON.stringify({ ...bundle, uiText }));
  show(language, { ...bundle, uiText });
  return true;
}

/**
 * Text of a key in the language on the screen; English if the bundle lacks it. Never the key
 * itself.
 */
export function translate(key: TextKey, args?: MessageArguments): string {
  const state = shown.get();
  const message = state?.uiText[key] ?? builtIn.get()?.[key];
  if (!state || message === undefined) {
    // Cached texts lack new keys: the text stays empty until the English is loaded.
    loadBuiltIn().catch(() => undefined);
    return '';
  }
  return formatMessage(message, state.language, args);
}

/** `translate` for components, which render again when the language or its texts change. */
export function useText(): Translate {
  const state = useStore(shown);
  const english = useStore(builtIn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function triggers a render
  return useCallback((key, args) => translate(key, args), [state, english]);
}

/** Whether the texts have a key that only the server can name. */
export const hasText = (key: string): boolean => shown.get()?.uiText[key] !== undefined;

/** Customer's explanation of an error code; the general apology if the catalogue has none. */
export function errorText(code: string): string {
  const banks = code === '2002' ? unsupportedDebitIssuers() : [];
  if (banks.length > 0) return translate('errorCode.2002.debit', { banks: banks.join(', ') });
  return translate(hasText(`errorCode.${code}`) ? `errorCode.${code}` : 'errorCode.9900');
}
