import { useEffect, useState } from 'react';
import { useText } from '../../shop/texts.ts';
import { InPlace } from '../../ui/in-place.tsx';
import { Section } from '../../ui/layout.tsx';
import { Loading } from '../../ui/progress.tsx';

/** After this long the sentence says that it takes longer than usual (U60). */
const LONG_MS = 20_000;

/** One sentence and no buttons while the payment is checked. */
export function Processing() {
  const t = useText();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <InPlace>
      <Section level={2} title={t('order.processing.title')}>
        <Loading label={t(long ? 'order.processing.long' : 'order.processing.text')} />
      </Section>
    </InPlace>
  );
}
