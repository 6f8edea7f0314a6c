import type { CustomFontSource, StripeElementStyle } from '@stripe/stripe-js';

/** The shop's typeface: digits and Latin letters, which is all that the fields hold. */
const FAMILY = 'Hanken Grotesk';

/** Style of the provider's fields, read from the element that holds one. */
export function cardLook(holder: HTMLElement): StripeElementStyle {
  const { color, fontSize } = getComputedStyle(holder);
  return {
    base: {
      color,
      fontSize,
      fontFamily: `"${FAMILY}", system-ui, sans-serif`,
      '::placeholder': { color: mutedColour(holder) },
    },
    // The box and its text show the error; the provider's red is too dark for the dark theme.
    invalid: { color },
  };
}

/** Computed, because custom properties and colour schemes do not cross a frame. */
function mutedColour(beside: HTMLElement): string {
  const sample = document.createElement('span');
  sample.className = 'muted';
  beside.append(sample);
  const { color } = getComputedStyle(sample);
  sample.remove();
  return color;
}

/**
 * Calls the listener when the page turns light or dark, by the user's choice or the system's.
 * @returns unsubscribe
 */
export function onThemeChange(listener: () => void): () => void {
  const page = new MutationObserver(listener);
  page.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', listener);
  return () => {
    page.disconnect();
    system.removeEventListener('change', listener);
  };
}

/** The faces of the shop's typeface, for documents of the provider that have no style sheet of ours. */
export const shopFonts = (): CustomFontSource[] =>
  [...document.styleSheets]
    .flatMap(sheet => [...sheet.cssRules])
    .flatMap(rule => (rule instanceof CSSFontFaceRule ? [faceOf(rule.style, rule.parentStyleSheet)] : []))
    .filter(face => face.family === FAMILY);

function faceOf(style: CSSStyleDeclaration, sheet: CSSStyleSheet | null): CustomFontSource {
  const of = (property: string) => style.getPropertyValue(property);
  const base = sheet?.href ?? window.location.href;
  return {
    family: of('font-family').replaceAll('"', ''),
    src: of('src').replace(/url\("?([^")]+)"?\)/, (_, url: string) => `url(${new URL(url, base).href})`),
    weight: of('font-weight'),
    unicodeRange: of('unicode-range'),
    display: 'swap',
  };
}
