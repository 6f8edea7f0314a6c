import { Select } from '@fixpoint/ui/select.tsx';
import type { Plans } from '../../shop/catalog.ts';
import { chooseCurrency } from '../../shop/currency.ts';
import { useText } from '../../shop/texts.ts';

/** The currencies that the shop sells in; the choice is remembered. */
export function CurrencyChoice({ currency, currencies }: Pick<Plans, 'currency' | 'currencies'>) {
  const t = useText();
  return (
    <Select
      name="currency"
      label={t('plans.currency')}
      width="m"
      value={currency}
      onChange={event => chooseCurrency(event.target.value)}
      options={currencies.map(each => ({ value: each, label: each }))}
    />
  );
}
