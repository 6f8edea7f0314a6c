import { Cluster } from '@fixpoint/ui/layout.tsx';
import { lazyComponent } from '@fixpoint/ui/lib/chunk.ts';
import { StatusLabel } from '@fixpoint/ui/status.tsx';
import { lazy, Suspense } from 'react';
import { NotifyMe } from '../../forms/notify-me.tsx';
import type { Places } from '../../shop/catalog.ts';
import { useCountryName } from '../../shop/country.ts';
import { regionName } from '../../shop/region.ts';
import { useText } from '../../shop/texts.ts';
import { MapFrame, PlaceList } from './place-list.tsx';

const RegionMap = lazy(
  lazyComponent(
    () => import('./region-map.tsx'),
    it => it.RegionMap,
  ),
);

/** Inside the map of Asia. One region outside shows the whole world. */
const inAsia = ({ longitude, latitude }: Region) =>
  longitude > 62 && longitude < 158 && latitude > -12 && latitude < 56;
type Region = Places['regions'][number];
type State = 'free' | 'waits' | 'full';

/** The regions on a map and as a list: those that can be bought first. */
export function Regions({ places }: { places: Places }) {
  const t = useText();
  const countryName = useCountryName();
  const { regions, offers } = places;
  const state = (region: Region): State => {
    const here = offers.filter(offer => offer.regionId === region.id);
    if (here.some(offer => offer.available && !offer.waits)) return 'free';
    return here.some(offer => offer.waits) ? 'waits' : 'full';
  };
  const inOrder = regions
    .map(region => ({ region, state: state(region) }))
    .sort((a, b) => Number(a.state === 'full') - Number(b.state === 'full'));
  const tones = { free: 'good', waits: 'info', full: 'idle' } as const;
  const words = { free: t('region.free'), waits: t('region.waits'), full: t('order.place.full') };
  return (
    <PlaceList
      map={
        <MapFrame>
          <Suspense>
            <RegionMap
              label={t('home.regions.map')}
              area={regions.every(inAsia) ? 'asia' : 'world'}
              points={regions.map(region => ({
                id: region.id,
                lon: region.longitude,
                lat: region.latitude,
                label: regionName(region),
                full: state(region) === 'full',
              }))}
            />
          </Suspense>
        </MapFrame>
      }
      items={inOrder.map(({ region, state }) => ({
        id: region.id,
        title: regionName(region),
        detail: countryName(region),
        aside: (
          <Cluster>
            <StatusLabel tone={tones[state]}>{words[state]}</StatusLabel>
            {state === 'full' && <NotifyMe region={region} />}
          </Cluster>
        ),
      }))}
    />
  );
}
