/** Made by `build/web-client-plugins.ts` from the contract. */
declare module 'virtual:calls' {
  import type { CallTable } from '@fixpoint/web-client/client.ts';

  export const calls: CallTable;
  export const SOCKET_PATH: string;
  export const ORDER_POLL_MS: number;
}
