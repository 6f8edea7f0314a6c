/**
 * In how many whole days a place has no free address, if as many are taken a day as lately.
 * @param taken how many more somebody has than `days` days ago
 * @returns undefined where no more are taken than given up
 */
export const daysLeft = ({
  free,
  taken,
  days,
}: {
  free: number;
  taken: number;
  days: number;
}): number | undefined => (taken > 0 ? Math.floor((free * days) / taken) : undefined);

/** How many free addresses a place needs, so that it has some for so many days: {@link daysLeft} is at least `last`. */
export const freeFor = (last: number, { taken, days }: { taken: number; days: number }): number =>
  taken > 0 ? Math.ceil((last * taken) / days) : 0;
