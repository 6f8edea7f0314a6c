import { headlineOf } from './headline.ts';

/** An element that has the focus, and the sections around it from the inside out. */
export type FocusPlace = { element: HTMLElement; sections: HTMLElement[] };

export function focusPlaceOf(element: HTMLElement): FocusPlace {
  const sections: HTMLElement[] = [];
  for (let part = element.closest('section'); part; part = part.parentElement?.closest('section') ?? null)
    sections.push(part);
  return { element, sections };
}

/** The headline of the nearest section that is still there. */
export function headlineNear({ sections }: FocusPlace): HTMLElement | undefined {
  const section = sections.find(({ isConnected }) => isConnected);
  return section && headlineOf(section);
}
