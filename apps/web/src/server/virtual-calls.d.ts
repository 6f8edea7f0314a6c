/** Made by `build/calls-plugin.ts` from the contract. */
declare module 'virtual:calls' {
  export type CallRow = [method: 'GET' | 'POST', path: string, token?: true];
  export const calls: Record<string, Record<string, CallRow>>;
  export const SOCKET_PATH: string;
  export const ORDER_POLL_MS: number;
}
