import { hasText, type TextKey, translate } from './texts.ts';

/** The name of a plan; one of the operator's own that the texts do not know goes by its id. */
export function planName(planId: string): string {
  const key = `plans.name.${planId}`;
  return hasText(key) ? translate(key as TextKey) : planId.charAt(0).toUpperCase() + planId.slice(1);
}
