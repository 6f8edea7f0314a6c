import { Button } from '../ui/button.tsx';
import { Page, Section } from '../ui/layout.tsx';

/** Texts come from the server; this is what can be said without it, so it speaks the default language alone. */
export function BootFault({ onRetry }: { onRetry: () => void }) {
  return (
    <main>
      <Page width="text">
        <Section level={1} title="We cannot reach the shop" lead="Check your connection, then try again.">
          <Button onClick={onRetry}>Try again</Button>
        </Section>
      </Page>
    </main>
  );
}
