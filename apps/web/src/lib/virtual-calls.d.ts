/** Made by `build/calls-plugin.ts` from the contract. */
declare module 'virtual:calls' {
  import type { Auth } from '@fixpoint/contract/endpoint.ts';

  export type CallRow = [method: 'GET' | 'POST', path: string, auth: Auth, token?: true];
  export const calls: Record<string, Record<string, CallRow>>;
  export const SOCKET_PATH: string;
  export const ORDER_POLL_MS: number;
}
