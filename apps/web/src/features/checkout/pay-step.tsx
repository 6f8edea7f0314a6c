import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { RadioCards } from '@fixpoint/ui/radio-cards.tsx';
import type { PayMethod } from '../../shop/pay-method.ts';

/** How it is paid, and what the chosen way asks for. There is a choice only where there are several ways. */
export function PayStep(props: {
  legend: string;
  methods: readonly PayMethod[];
  chosen: PayMethod;
  onChoose: (method: PayMethod['method']) => void;
  errors: readonly FormError[];
  /** It is being paid in the chosen way. The other ones would take away what the bank asks in. */
  paying: boolean;
}) {
  const { legend, methods, chosen, onChoose, errors, paying } = props;
  return (
    <Stack>
      {methods.length === 1 ? (
        chosen.title
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
