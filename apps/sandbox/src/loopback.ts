/**
 * Whether a host name (as in a URL) is this machine, the only one that the sandbox listens on and
 * delivers to.
 */
export const isLoopback = (hostname: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
