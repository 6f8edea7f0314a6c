import { hasText, type TextKey, translate } from './texts.ts';

/** Name of a region: the text `region.<id>`, else the operator's own name. */
export function regionName(region: { id: string; name: string }): string {
  const key = `region.${region.id}`;
  return hasText(key) ? translate(key as TextKey) : region.name;
}
