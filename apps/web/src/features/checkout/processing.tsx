import { InPlace } from '@fixpoint/ui/in-place.tsx';
import { Section } from '@fixpoint/ui/layout.tsx';
import { Loading } from '@fixpoint/ui/progress.tsx';
import { useEffect, useState } from 'react';
import { useText } from '../../shop/texts.ts';

/** After this time the text says that it takes longer than usual. */
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
