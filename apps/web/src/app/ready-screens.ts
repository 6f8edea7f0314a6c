import type { ComponentType } from 'react';
import { Screen as GetStarted } from '../screens/get-started.tsx';
import { queryClient } from '../server/query.ts';
import { plansQuery } from '../shop/catalog.ts';

type ReadyScreen = {
  Screen: ComponentType;
  /** Fetches its first data before it is rendered. */
  prepare: () => void;
};

/**
 * Screens in the first route, by path, because most visits begin there. All others are loaded on
 * demand.
 */
export const readyScreens: Readonly<Record<string, ReadyScreen | undefined>> = {
  'get-started': { Screen: GetStarted, prepare: () => void queryClient.prefetchQuery(plansQuery()) },
};
