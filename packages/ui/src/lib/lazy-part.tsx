import { type ComponentType, lazy, Suspense } from 'react';
import { loadPart } from './chunk.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { tellMissingPart } from './missing-part.ts';

/**
 * A part beside the screen that is brought when it is first drawn: menu, footer, dialog. One that does not arrive is
 * missing, and said to be; the screen stays as it is, and what was typed there.
 */
export function part<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const bring = () => lazy(async () => ({ default: await loadPart(load) }));
  let Part = bring();
  const missing = (error: unknown) => {
    // React keeps that it did not arrive: who comes to it again has it asked for again.
    Part = bring();
    tellMissingPart(error);
  };
  return props => (
    <ErrorBoundary fallback={null} onError={missing}>
      <Suspense>
        <Part {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
