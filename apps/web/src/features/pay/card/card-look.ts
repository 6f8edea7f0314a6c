import type { StripeElementStyle } from '@stripe/stripe-js';

/** The provider's fields in our colours and size, read from the element that holds one of them. */
export function cardLook(holder: HTMLElement): StripeElementStyle {
  const { color, fontSize } = getComputedStyle(holder);
  return {
    base: {
      color,
      fontSize,
      fontFamily: 'system-ui, sans-serif',
      '::placeholder': { color: mutedColour(holder) },
    },
    // The box and its words say what is wrong; the provider's red is too dark for our dark.
    invalid: { color },
  };
}

/** As a colour that another document understands: custom properties and schemes do not cross a frame. */
function mutedColour(beside: HTMLElement): string {
  const sample = document.createElement('span');
  sample.className = 'muted';
  beside.append(sample);
  const { color } = getComputedStyle(sample);
  sample.remove();
  return color;
}

/** Tells when the page turns light or dark, by the visitor's switch or the system's. @returns stops telling */
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
