/** Long polls of VPN hosts that wait for their desired set to change. */
export function createLongPolls() {
  const waiting = new Map<string, Set<() => void>>();
  let ended = false;
  const wake = (waits: Set<() => void> | undefined) => {
    for (const done of waits ?? []) done();
  };
  return {
    /**
     * Whether the host was woken within `seconds`, so that it is worth looking again. One that was not asks again anyway.
     * @param gone whoever asked hears no answer any more
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
    /** Nobody waits or looks any more: it would be at a database that is about to close. */
    end(): void {
      ended = true;
      this.wakeAll();
    },
  };
}
