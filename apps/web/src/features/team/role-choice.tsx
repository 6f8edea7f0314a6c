import { RadioCards } from '@fixpoint/ui/radio-cards.tsx';
import { useText } from '../../shop/texts.ts';
import type { Person } from './people.ts';

type Role = Person['role'];
const roles: readonly Role[] = ['member', 'buyer', 'owner'];

/** What somebody may do, with what each role means. */
export function RoleChoice(props: { value: Role; onChange: (role: Role) => void }) {
  const t = useText();
  return (
    <RadioCards
      legend={t('team.role')}
      name="role"
      value={props.value}
      onChange={props.onChange}
      options={roles.map(role => ({
        value: role,
        title: t(`team.role.${role}`),
        detail: t(`team.role.${role}.text`),
      }))}
    />
  );
}
