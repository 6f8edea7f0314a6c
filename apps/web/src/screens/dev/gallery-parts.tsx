import { Stack } from '@fixpoint/ui/layout.tsx';
import type { ReactNode } from 'react';
import css from './gallery.module.css';

/** A named sample of the gallery. */
export function Sample({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css.sample}>
      <h3 className={css.sampleName}>{name}</h3>
      <Stack gap={4}>{children}</Stack>
    </div>
  );
}

export const noop = () => undefined;

export const longWord =
  'a-name-that-somebody-really-gave-to-a-device-because-there-are-sixty-four-letters-to-spend.laptop';
