const patience = 10_000; // ms

/**
 * Ends this process in good order when it is told to (SIGTERM, SIGINT) or when its parent is gone, also by
 * kill -9: the end of the parent closes the channel between the two. Does no harm to a process without one.
 *
 * @param stop closes what is open; when it fails or takes longer than 10 s, the exit code is 1.
 */
export function exitWithParent(stop: () => Promise<void>): void {
  let stopping = false;
  const end = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), patience).unref();
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
