/** Adds up the time of the phases of something. */
export function stopwatch() {
  const taken: [string, number][] = [];
  return {
    async phase<T>(name: string, work: () => Promise<T>): Promise<T> {
      const since = performance.now();
      try {
        return await work();
      } finally {
        taken.push([name, performance.now() - since]);
      }
    },
    phases: (): string => taken.map(([name, ms]) => `${name} ${Math.round(ms / 1000)} s`).join(', '),
    together: (): number => taken.reduce((sum, [, ms]) => sum + ms, 0),
  };
}
