import type { ComponentType } from 'react';
import { DefaultLayout } from './layouts/default.tsx';
import type { Layout } from './screens.ts';

/** The frame of each kind of screen; only the one of the first visit comes with the page. */
export const layoutParts: Record<Layout, () => Promise<ComponentType>> = {
  default: async () => DefaultLayout,
  checkout: async () => (await import('./layouts/checkout.tsx')).CheckoutLayout,
  login: async () => (await import('./layouts/login.tsx')).LoginLayout,
  dashboard: async () => (await import('./layouts/dashboard.tsx')).DashboardLayout,
};
