/** Long polls of VPN hosts that wait for their desired set to change. */
export function createLongPolls() {
  const waiting = new Map<string, Set<() => void>>();
  let ended = false;
  const wake = (waits: Set<() => void> | undefined) => {
    for (const done of waits ?? []) done();
  };
  return {
    /**
     * Waits up to `seconds`. @returns true when the host was woken, so that its desired set may have changed
     * @param gone aborts when the host has disconnected
     */
    async wait(hostId: string, seconds: number, gone: AbortSignal): Promise<boolean> {
      if (ended || gone.aborted) return false;
      return new Promise(resolve => {
        const waits = waiting.get(hostId) ?? new Set();
        waiting.set(hostId, waits);
        const end = (woken: boolean) => {
          clearTimeout(timer);
          gone.removeEventListener('abort', leave);
          waits.delete(wakeUp);
          if (waits.size === 0) waiting.delete(hostId);
          resolve(woken);
        };
        const wakeUp = () => end(!ended);
        const leave = () => end(false);
        const timer = setTimeout(leave, seconds * 1000);
        gone.addEventListener('abort', leave);
        waits.add(wakeUp);
      });
    },
    wake: (hostId: string): void => wake(waiting.get(hostId)),
    wakeAll(): void {
      for (const waits of [...waiting.values()]) wake(waits);
    },
    /** Ends all waits with false, because the database is about to close. */
    end(): void {
      ended = true;
      this.wakeAll();
    },
  };
}
