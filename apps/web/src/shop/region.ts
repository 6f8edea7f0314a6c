import { hasText, type TextKey, translate } from './texts.ts';

/** How a region is called: the text `region.<id>` where there is one, else the operator's own name for it. */
export function regionName(region: { id: string; name: string }): string {
  const key = `region.${region.id}`;
  return hasText(key) ? translate(key as TextKey) : region.name;
}
