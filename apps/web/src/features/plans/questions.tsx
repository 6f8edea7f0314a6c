import { Accordion } from '@fixpoint/ui/accordion.tsx';
import { useText } from '../../shop/texts.ts';

/** In the order in which buyers ask them. */
const questions = [
  'fixed',
  'start',
  'software',
  'devices',
  'place',
  'bandwidth',
  'logs',
  'anonymous',
  'renewal',
  'cancel',
] as const;

/** Frequently asked questions; all, or the given ones. */
export function Questions({ ids = questions }: { ids?: readonly (typeof questions)[number][] }) {
  const t = useText();
  return (
    <Accordion
      items={ids.map(id => ({
        id: `faq-${id}`,
        title: t(`plans.faq.${id}.question`),
        content: t(`plans.faq.${id}.answer`),
      }))}
    />
  );
}
