import { calls } from '@fixpoint/contract/calls.ts';
import { ORDER_POLL_MS, SOCKET_PATH } from '@fixpoint/contract/live.ts';
import { callsPlugin } from '@fixpoint/web-client/build/calls-plugin.ts';
import { leanQuery } from '@fixpoint/web-client/build/lean-query.ts';
import type { Plugin } from 'vite';

/** Plugins of `@fixpoint/web-client`, with the calls of the shop. */
export const webClientPlugins = (): Plugin[] => [
  callsPlugin(calls, { SOCKET_PATH, ORDER_POLL_MS }),
  leanQuery(),
];
