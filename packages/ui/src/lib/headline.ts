/** The headline of a part of the page, made focusable; the part itself if it has none. */
export function headlineOf(part: HTMLElement): HTMLElement {
  const headline = part.querySelector<HTMLElement>('h1, h2, h3') ?? part;
  headline.tabIndex = -1;
  return headline;
}
