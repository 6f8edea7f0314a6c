/** Environment variable of a preloaded program that waits for the rest of its environment. */
export const WAITS = 'BEGIN_WHEN_TOLD';

/**
 * Waits until the parent sends the rest of the environment, if `WAITS` is set. Exits together with
 * the parent.
 */
export async function environmentComplete(env: NodeJS.ProcessEnv): Promise<void> {
  if (!env[WAITS]) return;
  delete env[WAITS];
  const gone = () => process.exit(0);
  process.once('disconnect', gone);
  // The parent may have exited while this process was still loading.
  if (!process.connected) gone();
  Object.assign(env, await new Promise(resolve => process.once('message', resolve)));
  process.off('disconnect', gone);
}

/**
 * Shuts this process down on SIGTERM and SIGINT, and when its parent is gone, even by kill -9: that
 * closes the channel between the two. Has no effect in a process without a parent channel.
 *
 * @param stop closes what is open; if it fails or takes longer than `timeoutMs`, the exit code is 1
 */
export function exitWithParent(stop: () => Promise<void>, timeoutMs = 10_000): void {
  let stopping = false;
  const end = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), timeoutMs).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.once('disconnect', end);
  // The parent may have exited while this process was still starting, when nobody listened for the
  // event.
  if (process.connected === false) end();
}
