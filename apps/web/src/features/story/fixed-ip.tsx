import { CheckList } from '@fixpoint/ui/check-list.tsx';
import { IconBank, IconLock, IconMinus, IconPin, IconWifi } from '@fixpoint/ui/topic-icons.tsx';
import { useText } from '../../shop/texts.ts';
import { TopicGrid } from './topic-grid.tsx';

const uses = [
  { id: 'door', Icon: IconLock },
  { id: 'bank', Icon: IconBank },
  { id: 'name', Icon: IconPin },
  { id: 'travel', Icon: IconWifi },
] as const;

/** Uses of a fixed address. */
export function FixedIpUses() {
  const t = useText();
  return (
    <TopicGrid
      items={uses.map(({ id, Icon }) => ({
        id,
        icon: <Icon />,
        title: t(`vpn.fixed.${id}.title`),
        text: t(`vpn.fixed.${id}.text`),
      }))}
    />
  );
}

const limits = ['anonymous', 'malware', 'speed', 'incoming', 'rules', 'off'] as const;

/** Limits of the product, shown before a purchase. */
export function Limits() {
  const t = useText();
  return <CheckList icon={IconMinus} items={limits.map(id => t(`vpn.limits.${id}`))} />;
}
