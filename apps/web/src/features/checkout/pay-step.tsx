import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { RadioCards } from '@fixpoint/ui/radio-cards.tsx';
import type { PayMethod } from '../../shop/pay-method.ts';

/**
 * Choice of the payment method, and the fields of the chosen one. No choice if there is only one.
 */
export function PayStep(props: {
  legend: string;
  methods: readonly PayMethod[];
  chosen: PayMethod;
  onChoose: (method: PayMethod['method']) => void;
  errors: readonly FormError[];
  /** Payment in progress. Changing the method would remove the bank's frame. */
  paying: boolean;
}) {
  const { legend, methods, chosen, onChoose, errors, paying } = props;
  return (
    <Stack>
      {methods.length === 1 ? (
        <div>{chosen.title}</div>
      ) : (
        <RadioCards
          legend={legend}
          hideLegend
          name="method"
          value={chosen.method}
          onChange={onChoose}
          options={methods.map(({ method, title }) => ({ value: method, title, disabled: paying }))}
        />
      )}
      {chosen.fields(errors)}
    </Stack>
  );
}
