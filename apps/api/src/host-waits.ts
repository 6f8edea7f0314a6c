/** Long polls of VPN hosts that wait for their desired set to change. */
export function createHostWaits() {
  const waiting = new Map<string, Set<() => void>>();
  let ended = false;
  const wake = (waits: Set<() => void> | undefined) => {
    for (const done of waits ?? []) done();
  };
  return {
    /**
     * Resolves when the host is woken, or after `seconds`: whether it is worth looking again.
     * @param gone whoever asked hears no answer any more
     */
    async wait(hostId: string, seconds: number, gone: AbortSignal): Promise<boolean> {
      if (ended || gone.aborted) return false;
      return new Promise(resolve => {
        const waits = waiting.get(hostId) ?? new Set();
        waiting.set(hostId, waits);
        const done = () => {
          clearTimeout(timer);
          gone.removeEventListener('abort', done);
          waits.delete(done);
          if (waits.size === 0) waiting.delete(hostId);
          resolve(!ended && !gone.aborted);
        };
        const timer = setTimeout(done, seconds * 1000);
        gone.addEventListener('abort', done);
        waits.add(done);
      });
    },
    wake: (hostId: string): void => wake(waiting.get(hostId)),
    wakeAll(): void {
      for (const waits of [...waiting.values()]) wake(waits);
    },
    /** Nobody waits or looks any more: it would be at a database that is about to close. */
    end(): void {
      ended = true;
      this.wakeAll();
    },
  };
}
