/** The headline of a part of the page, able to take the focus; the part itself where it has none. */
export function headlineOf(part: HTMLElement): HTMLElement {
  const headline = part.querySelector<HTMLElement>('h1, h2, h3') ?? part;
  headline.tabIndex = -1;
  return headline;
}
