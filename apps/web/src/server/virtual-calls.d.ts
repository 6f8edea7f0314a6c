/** Made by `build/calls-plugin.ts` from the contract. */
declare module 'virtual:calls' {
  /** What the names of module and call do not tell. */
  export type CallFacts = { path?: string; token?: true; reads?: true; once?: true };
  /** Only the calls of which there is something to tell. */
  export const calls: Record<string, Record<string, CallFacts> | undefined>;
  export const SOCKET_PATH: string;
  export const ORDER_POLL_MS: number;
}
