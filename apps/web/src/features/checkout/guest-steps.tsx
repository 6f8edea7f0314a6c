import { LinkButton } from '@fixpoint/ui/button.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { Steps } from '@fixpoint/ui/steps.tsx';
import { IconExternal } from '@fixpoint/ui/topic-icons.tsx';
import type { ReactNode } from 'react';
import { useText } from '../../shop/texts.ts';
import { useConnectStep } from './connect-step.tsx';
import { mailSite } from './mail-site.ts';
import type { OrderProgress } from './order-steps.ts';

/**
 * What is left to a guest after the purchase. The same for everybody: an existing account is not
 * shown (S17).
 */
export function GuestSteps(props: {
  order: OrderProgress;
  email: string;
  /** Sends the email again, or to another address. */
  again: ReactNode;
}) {
  const t = useText();
  const connect = useConnectStep();
  const { order, email, again } = props;
  const site = mailSite(email);
  return (
    <Steps
      stacked
      items={[
        {
          id: 'email',
          title: t('success.email.title'),
          content: (
            <Stack gap={3}>
              <p role="status">
                {t(order.emailed ? 'success.email.sent' : 'success.email.coming', { email })}
              </p>
              {site && order.emailed && (
                <Cluster>
                  <LinkButton
                    variant="primary"
                    href={site.href}
                    target="_blank"
                    rel="noreferrer"
                    iconEnd={<IconExternal size="1em" />}
                  >
                    {t('success.email.open', { site: site.name })}
                  </LinkButton>
                </Cluster>
              )}
              {again}
            </Stack>
          ),
        },
        { id: 'file', title: t('guide.file'), content: <p>{t('success.file')}</p> },
        connect,
      ]}
    />
  );
}
