import { loadChunk } from '@fixpoint/ui/lib/chunk.ts';
import { StatusLabel } from '@fixpoint/ui/status.tsx';
import { lazy, Suspense } from 'react';
import type { Places } from '../../shop/catalog.ts';
import { useCountryName } from '../../shop/country.ts';
import { regionName } from '../../shop/region.ts';
import { useText } from '../../shop/texts.ts';
import { MapFrame, PlaceList } from './place-list.tsx';

const RegionMap = lazy(async () => ({
  default: (await loadChunk(() => import('./region-map.tsx'))).RegionMap,
}));

/** Inside the map of Asia. One region outside shows the whole world. */
const inAsia = ({ longitude, latitude }: Region) =>
  longitude > 62 && longitude < 158 && latitude > -12 && latitude < 56;
type Region = Places['regions'][number];

/** The regions on a map and as a list, with their availability. */
export function Regions({ places }: { places: Places }) {
  const t = useText();
  const countryName = useCountryName();
  const { regions, offers } = places;
  const state = (region: Region) => {
    const here = offers.filter(offer => offer.regionId === region.id);
    if (here.some(offer => offer.available && !offer.waits)) return 'free';
    return here.some(offer => offer.waits) ? 'waits' : 'full';
  };
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
              }))}
            />
          </Suspense>
        </MapFrame>
      }
      items={regions.map(region => ({
        id: region.id,
        title: regionName(region),
        detail: countryName(region),
        aside: <StatusLabel tone={tones[state(region)]}>{words[state(region)]}</StatusLabel>,
      }))}
    />
  );
}
