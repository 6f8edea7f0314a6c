import { MOST_DEVICES } from '@fixpoint/contract/fields.ts';
import { Select } from '@fixpoint/ui/select.tsx';
import { useText } from '../../shop/texts.ts';

/** How many devices of a subscription somebody may have. @param props.least 0 takes the right away */
export function NumberOfDevices(props: { value: number; least: 0 | 1; onChange: (count: number) => void }) {
  const t = useText();
  const counts = Array.from({ length: MOST_DEVICES + 1 - props.least }, (_, n) => String(n + props.least));
  return (
    <Select
      label={t('team.devices.number')}
      width="m"
      value={String(props.value)}
      options={counts.map(value => ({ value, label: value }))}
      onChange={({ target }) => props.onChange(Number(target.value))}
    />
  );
}
