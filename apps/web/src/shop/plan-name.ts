import { hasText, type TextKey, translate } from './texts.ts';

/** Name of a plan; its capitalized id if the operator's own plan has no text. */
export function planName(planId: string): string {
  const key = `plans.name.${planId}`;
  return hasText(key) ? translate(key as TextKey) : planId.charAt(0).toUpperCase() + planId.slice(1);
}
