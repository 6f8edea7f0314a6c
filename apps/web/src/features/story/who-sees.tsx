import { CompareTable } from '@fixpoint/ui/compare-table.tsx';
import { config } from '../../server/config.ts';
import { useText } from '../../shop/texts.ts';

/** Who can see what, without and with the VPN, ourselves included. */
export function WhoSees() {
  const t = useText();
  const brand = config().BRAND_NAME;
  const who = { network: t('vpn.node.network'), site: t('vpn.node.site'), us: brand };
  return (
    <CompareTable
      prose
      caption={t('vpn.who')}
      corner={t('vpn.who.you')}
      columns={[
        { id: 'without', head: t('vpn.way.without') },
        { id: 'with', head: t('vpn.way.with', { brand }) },
      ]}
      groups={[
        {
          id: 'who',
          rows: (['network', 'site', 'us'] as const).map(id => ({
            id,
            head: who[id],
            cells: [t(`vpn.who.${id}.without`), t(`vpn.who.${id}.with`)],
          })),
        },
      ]}
    />
  );
}
