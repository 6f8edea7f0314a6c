/** In the environment of a program that loads before there is all that it needs: it begins when it is told. */
export const WAITS = 'BEGIN_WHEN_TOLD';

/**
 * Waits until the parent says what else belongs into the environment, where it has this program wait; it ends with the parent.
 */
export async function begun(env: NodeJS.ProcessEnv): Promise<void> {
  if (!env[WAITS]) return;
  delete env[WAITS];
  const gone = () => process.exit(0);
  process.once('disconnect', gone);
  // It may have gone while this process was still loading.
  if (!process.connected) gone();
  Object.assign(env, await new Promise(resolve => process.once('message', resolve)));
  process.off('disconnect', gone);
}

/**
 * Ends this process in good order when it is told to (SIGTERM, SIGINT) or when its parent is gone, also by
 * kill -9: the end of the parent closes the channel between the two. Does no harm to a process without one.
 *
 * @param stop closes what is open; when it fails or takes longer than `patienceMs`, the exit code is 1.
 */
export function exitWithParent(stop: () => Promise<void>, patienceMs = 10_000): void {
  let stopping = false;
  const end = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), patienceMs).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.once('disconnect', end);
  // The parent may have gone while this process was still starting: that event is over.
  if (process.connected === false) end();
}
