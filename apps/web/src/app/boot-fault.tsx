import { Button } from '@fixpoint/ui/button.tsx';
import { Page, Section } from '@fixpoint/ui/layout.tsx';
import { hasText, type TextKey, translate } from '../shop/texts.ts';

/** Built-in texts for a first visit without a server. */
const english = {
  'app.fault.title': 'The shop can’t be reached',
  'app.fault.text': 'Check your connection, then try again.',
  'app.tryAgain': 'Try again',
} satisfies Partial<Record<TextKey, string>>;

const say = (key: keyof typeof english): string => (hasText(key) ? translate(key) : english[key]);

/** In the language of the last visit, if there was one: the texts come from the server. */
export function BootFault({ onRetry }: { onRetry: () => void }) {
  return (
    <main>
      <Page width="text">
        <Section level={1} title={say('app.fault.title')} lead={say('app.fault.text')}>
          <p>
            <Button onClick={onRetry}>{say('app.tryAgain')}</Button>
          </p>
        </Section>
      </Page>
    </main>
  );
}
