/** Long polls of VPN hosts that wait for their desired set to change. */
export function createHostWaits() {
  const waiting = new Map<string, Set<() => void>>();
  const wake = (waits: Set<() => void> | undefined) => {
    for (const done of waits ?? []) done();
  };
  return {
    /** Resolves when the host is woken, or after `seconds`. */
    wait(hostId: string, seconds: number): Promise<void> {
      return new Promise(resolve => {
        const waits = waiting.get(hostId) ?? new Set();
        waiting.set(hostId, waits);
        const done = () => {
          clearTimeout(timer);
          waits.delete(done);
          if (waits.size === 0) waiting.delete(hostId);
          resolve();
        };
        const timer = setTimeout(done, seconds * 1000);
        waits.add(done);
      });
    },
    wake: (hostId: string): void => wake(waiting.get(hostId)),
    wakeAll(): void {
      for (const waits of [...waiting.values()]) wake(waits);
    },
  };
}
