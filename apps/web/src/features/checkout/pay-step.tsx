import type { FormError } from '@fixpoint/ui/error-summary.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { RadioPanels } from '@fixpoint/ui/radio-panels.tsx';
import type { PayMethod } from '../../shop/pay-method.ts';

/** Name of the radios of the payment methods. */
const METHOD = 'method';

/**
 * Choice of the payment method; what the chosen one needs opens inside its row. No choice if there
 * is only one.
 */
export function PayStep(props: {
  legend: string;
  methods: readonly PayMethod[];
  chosen: PayMethod;
  onChoose: (id: string) => void;
  errors: readonly FormError[];
  /** Payment in progress. Changing the method would remove the bank's frame. */
  paying: boolean;
}) {
  const { legend, methods, chosen, onChoose, errors, paying } = props;
  if (methods.length === 1) {
    return (
      <Stack>
        <div>{chosen.title}</div>
        {chosen.fields?.(errors)}
      </Stack>
    );
  }
  return (
    <RadioPanels
      legend={legend}
      name={METHOD}
      value={chosen.id}
      onChange={onChoose}
      options={methods.map(({ id, title, marks, fields, asking }) => ({
        value: id,
        title,
        aside: marks,
        ...(fields && { panel: fields(id === chosen.id ? errors : []) }),
        open: asking === true,
        disabled: paying,
      }))}
    />
  );
}

/**
 * The chosen method: what the customer picked, else what they have begun to fill in, else one like
 * that of an earlier payment, else the first.
 * @param picked ID of a choice
 */
export const chosenMethod = (
  methods: readonly [PayMethod, ...PayMethod[]],
  picked: string | undefined,
  earlier: PayMethod['method'] | undefined,
): PayMethod =>
  methods.find(({ id }) => id === picked) ??
  methods.find(({ begun }) => begun) ??
  methods.find(({ method }) => method === earlier) ??
  methods[0];

/** Moves the focus to the choice of the payment method. */
export function focusMethods() {
  const chosen = document.querySelector<HTMLElement>(`input[name="${METHOD}"]:checked`);
  chosen?.focus({ preventScroll: true });
  chosen?.closest('fieldset')?.scrollIntoView({ block: 'center' });
}
