/**
 * Page numbers to show: first, last, current and its neighbours; `undefined` is a gap. A gap never
 * replaces a single page.
 */
export function pageNumbers(page: number, pages: number): (number | undefined)[] {
  const shown = [1, page - 1, page, page + 1, pages].filter(number => number >= 1 && number <= pages);
  const sorted = [...new Set(shown)].sort((a, b) => a - b);
  return sorted.flatMap((number, index) => {
    const missing = number - (sorted[index - 1] ?? number) - 1;
    if (missing === 1) return [number - 1, number];
    return missing > 1 ? [undefined, number] : [number];
  });
}
