import { readProviderEnv } from '../../env/env.ts';
import { readinessWarnings } from '../readiness.ts';
import type { HandlersOf } from './handler.ts';

export const handlers: HandlersOf<'ready'> = {
  show: async ({ db, env, source }) => ({
    lacks: await readinessWarnings(db, { ...env, ...readProviderEnv(source) }),
  }),
};
