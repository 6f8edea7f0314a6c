import { StatusLabel } from '@fixpoint/ui/status.tsx';
import type { Invoice } from '../../shop/billing.ts';
import { useText } from '../../shop/texts.ts';

const tones = { open: 'warn', paid: 'good', void: 'idle' } as const;

/** Status of an invoice, as colour and text. */
export function InvoiceStatus({ status }: Pick<Invoice, 'status'>) {
  const t = useText();
  return <StatusLabel tone={tones[status]}>{t(`billing.status.${status}`)}</StatusLabel>;
}
