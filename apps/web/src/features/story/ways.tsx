import { IconGlobe } from '@fixpoint/ui/icons.tsx';
import { Stack } from '@fixpoint/ui/layout.tsx';
import { IconLaptop, IconWifi } from '@fixpoint/ui/topic-icons.tsx';
import { config } from '../../server/config.ts';
import { useText } from '../../shop/texts.ts';
import { Way } from './way.tsx';

/** Addresses reserved for documentation (RFC 5737). */
const changingAddress = '198.51.100.23';
const fixedAddress = '203.0.113.7';

/** Path of traffic without and with a VPN. */
export function Ways() {
  const t = useText();
  const device = { id: 'device', icon: <IconLaptop />, label: t('vpn.node.device') };
  const network = { id: 'network', icon: <IconWifi />, label: t('vpn.node.network') };
  const site = { id: 'site', icon: <IconGlobe />, label: t('vpn.node.site') };
  const open = { kind: 'open', label: t('vpn.link.open') } as const;
  const tunnel = { kind: 'tunnel', label: t('vpn.link.tunnel') } as const;
  return (
    <Stack gap={6}>
      <Way
        title={t('vpn.way.without')}
        stops={[
          device,
          { ...network, link: open },
          { ...site, link: open, detail: t('vpn.node.changing', { address: changingAddress }) },
        ]}
      >
        {t('vpn.way.without.text')}
      </Way>
      <Way
        title={t('vpn.way.with', { brand: config().BRAND_NAME })}
        stops={[
          device,
          { ...network, link: tunnel },
          { id: 'server', point: true, label: t('vpn.node.server'), detail: fixedAddress, link: tunnel },
          { ...site, link: open, detail: t('vpn.node.fixed', { address: fixedAddress }) },
        ]}
      >
        {t('vpn.way.with.text')}
      </Way>
    </Stack>
  );
}
