import { Alert } from '@fixpoint/ui/alert.tsx';
import { Badge } from '@fixpoint/ui/badge.tsx';
import { Button } from '@fixpoint/ui/button.tsx';
import { Cluster, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { useFocusAfter } from '@fixpoint/ui/lib/focus-after.ts';
import { Skeleton } from '@fixpoint/ui/progress.tsx';
import { useAction } from '@fixpoint/web-client/use-action.ts';
import { type ReactNode, useId, useState } from 'react';
import { api } from '../../../server/api.ts';
import { useProfile } from '../../../server/profile.ts';
import { queryClient } from '../../../server/query.ts';
import { useCards } from '../../../shop/billing.ts';
import { cardName } from '../../../shop/card-name.ts';
import { ConfirmButton } from '../../../shop/confirm-button.tsx';
import { useFormat } from '../../../shop/format.ts';
import { LoadError } from '../../../shop/load-error.tsx';
import { PayMark } from '../../../shop/pay-mark.tsx';
import { useText } from '../../../shop/texts.ts';
import { AddCard } from './add-card.tsx';
import { CardName } from './card-name.tsx';

/** The card being entered: an additional one, or a replacement. */
type Adding = { replaces?: string };

/** The customer's payment methods: saved cards, PayPal accounts, credit; with their actions for owners. */
export function PaymentMethods() {
  const t = useText();
  const { date, money } = useFormat();
  const { data, error, isPending, refetch } = useCards();
  const [adding, setAdding] = useState<Adding>();
  const opener = useFocusAfter();
  // Others renew by these methods.
  const mayChange = useProfile().data?.role !== 'buyer';
  const cards = data?.cards ?? [];
  const dueNotice = data?.owed.map(({ currency, amount }) => (
    <Alert key={currency} type="warning">
      {t('billing.card.owed', { amount: money(amount, currency) })}
    </Alert>
  ));
  return (
    <Section title={t('billing.methods')} lead={t('billing.methods.text')}>
      <Stack>
        {error && <LoadError error={error} onRetry={refetch} />}
        {isPending && <Skeleton lines={2} label={t('app.loading')} />}
        {data?.credit.map(({ currency, amount, goodwill }) => (
          <div key={currency}>
            <p>{t('billing.credit', { amount: money(amount, currency) })}</p>
            {goodwill.map(given => (
              <p key={given.at}>
                {t('billing.credit.goodwill', {
                  amount: money(given.amount, currency),
                  date: date(given.at),
                })}
              </p>
            ))}
          </div>
        ))}
        {data && cards.length === 0 && <p>{t('billing.card.none')}</p>}
        {cards.map(card => (
          <MethodRow
            key={card.id}
            id={card.id}
            name={cardName(card)}
            isDefault={card.isDefault}
            mayChange={mayChange}
            onReplace={() => setAdding({ replaces: card.id })}
          >
            <CardName card={card} />
            {card.isPast && <Badge>{t('billing.card.past')}</Badge>}
          </MethodRow>
        ))}
        {data?.accounts.map(({ id, account, isDefault }) => (
          <MethodRow key={id} id={id} name={account} isDefault={isDefault} mayChange={mayChange}>
            <PayMark brand="paypal" />
            <span>{account}</span>
          </MethodRow>
        ))}
        {data && cards.length + data.accounts.length > 0 && (
          <Stack gap={1}>
            <p className="muted">{t('billing.team')}</p>
            {!mayChange && <p className="muted">{t('billing.methods.owners')}</p>}
          </Stack>
        )}
        {adding ? (
          <AddCard
            key={adding.replaces}
            replaces={adding.replaces}
            asksDefault={
              mayChange &&
              [...cards, ...(data?.accounts ?? [])].some(
                ({ id, isDefault }) => isDefault && id !== adding.replaces,
              )
            }
            notice={dueNotice}
            onEnd={() => opener.after(() => setAdding(undefined))}
          />
        ) : (
          dueNotice
        )}
        {data && !adding && (
          <p>
            <Button ref={opener.ref} onClick={() => setAdding({})}>
              {t('billing.card.add')}
            </Button>
          </p>
        )}
      </Stack>
    </Section>
  );
}

/** A saved method with its actions. */
function MethodRow(props: {
  id: string;
  name: string;
  isDefault: boolean;
  mayChange: boolean;
  onReplace?: () => void;
  children: ReactNode;
}) {
  const t = useText();
  const { id, name, isDefault, mayChange, onReplace, children } = props;
  const which = useId();
  const change = useAction(async (body: { makeDefault: string } | { remove: string }) => {
    await api.payment.updPayment({ body });
    await queryClient.invalidateQueries({ queryKey: ['cards'] });
  });
  return (
    <Cluster>
      <div id={which}>
        <Cluster>{children}</Cluster>
      </div>
      {isDefault && <Badge>{t('billing.card.default')}</Badge>}
      {mayChange && !isDefault && (
        <Button
          size="s"
          aria-describedby={which}
          busy={change.busy}
          onClick={() => change.run({ makeDefault: id })}
        >
          {t('billing.card.makeDefault')}
        </Button>
      )}
      {mayChange && onReplace && (
        <Button size="s" aria-describedby={which} onClick={onReplace}>
          {t('billing.card.replace')}
        </Button>
      )}
      {mayChange && (
        <ConfirmButton
          size="s"
          label={t('account.remove')}
          fullLabel={t('account.remove.label', { name })}
          busy={change.busy}
          title={t('billing.card.remove.title', { name })}
          onConfirm={() => change.run({ remove: id })}
        >
          {t('billing.card.remove.text')}
        </ConfirmButton>
      )}
    </Cluster>
  );
}
