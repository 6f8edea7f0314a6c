import type { z } from 'zod';

/** Mounts a call of the control interface below `/_sbx/`. */
export type Post = <S extends z.ZodType>(
  path: string,
  schema: S,
  run: (given: z.output<S>) => unknown,
) => void;
