import type { ComponentType } from 'react';
import { Screen as GetStarted } from '../screens/get-started.tsx';
import { queryClient } from '../server/query.ts';
import { plansQuery } from '../shop/catalog.ts';

type ReadyScreen = {
  Screen: ComponentType;
  /** Asks for what it shows first, before it is drawn. */
  prepare: () => void;
};

/** By path: screens that come with the page, because most visits begin there. The others are brought when wanted. */
export const readyScreens: Readonly<Record<string, ReadyScreen | undefined>> = {
  'get-started': { Screen: GetStarted, prepare: () => void queryClient.prefetchQuery(plansQuery) },
};
