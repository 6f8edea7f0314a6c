import type { StripeElementStyle } from '@stripe/stripe-js';

/** Style of the provider's fields, read from the element that holds one. */
export function cardLook(holder: HTMLElement): StripeElementStyle {
  const { color, fontSize } = getComputedStyle(holder);
  return {
    base: {
      color,
      fontSize,
      fontFamily: 'system-ui, sans-serif',
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
