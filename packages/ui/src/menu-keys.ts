/**
 * Index of the item that a key moves to in a menu (WAI-ARIA menu button): arrows wrap around, Home
 * and End go to the ends, a letter to the next item with that initial. `undefined` leaves the key
 * to the browser. `at` is -1 before the first move.
 */
export function menuMove(key: string, at: number, labels: readonly string[]): number | undefined {
  const count = labels.length;
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return at <= 0 ? count - 1 : at - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if ([...key].length !== 1 || key === ' ') return undefined;
  const letter = key.toLowerCase();
  const order = labels.map((_, index) => (at + 1 + index) % count);
  return order.find(index => labels[index]!.trim().toLowerCase().startsWith(letter));
}
