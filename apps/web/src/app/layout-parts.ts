import type { ComponentType } from 'react';
import { DefaultLayout } from './layouts/default.tsx';
import type { Layout } from './screens.ts';

/** Layouts by kind of screen; only that of the first visit is part of the first route. */
export const layoutParts: Record<Layout, () => Promise<ComponentType>> = {
  default: async () => DefaultLayout,
  login: async () => (await import('./layouts/login.tsx')).LoginLayout,
  dashboard: async () => (await import('./layouts/dashboard.tsx')).DashboardLayout,
};
