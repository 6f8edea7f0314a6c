import { Accordion } from '@fixpoint/ui/accordion.tsx';
import { Alert } from '@fixpoint/ui/alert.tsx';
import { Cluster, Stack } from '@fixpoint/ui/layout.tsx';
import { RadioCards } from '@fixpoint/ui/radio-cards.tsx';
import { Select } from '@fixpoint/ui/select.tsx';
import { Step, type StepState } from '@fixpoint/ui/stepper.tsx';
import { NotifyMe } from '../../forms/notify-me.tsx';
import type { Places } from '../../shop/catalog.ts';
import { useCountryName } from '../../shop/country.ts';
import { regionName } from '../../shop/region.ts';
import { useText } from '../../shop/texts.ts';
import { choicesOf, choosePlace, type Place } from './place.ts';

/** Step 2: location of the fixed IP. Provider and vendor are asked only if there is a choice. */
export function PlaceStep(props: {
  number: number;
  state: StepState;
  stateLabel: string;
  places: Places;
  place: Place | undefined;
  onChoose: (place: Place) => void;
}) {
  const t = useText();
  const countryName = useCountryName();
  const { places, place } = props;
  const choose = (preferred: Partial<Place>) => {
    const found = choosePlace(places.offers, preferred);
    if (found) props.onChoose(found);
  };
  const regions = choicesOf(places.offers, 'regionId');
  const inRegion = places.offers.filter(offer => offer.regionId === place?.regionId);
  const atProvider = inRegion.filter(offer => offer.providerId === place?.providerId);
  const chosen = atProvider.find(offer => offer.vendorId === place?.vendorId);
  const named = (list: readonly { id: string; name: string }[], id: string) =>
    list.find(each => each.id === id)?.name ?? id;
  const region = (id: string) => {
    const found = places.regions.find(each => each.id === id);
    return { title: found ? regionName(found) : id, beside: found && countryName(found) };
  };
  const open = regions.filter(each => each.available);
  const isChoice = open.length > 1;
  const { title, beside } = region(place?.regionId ?? '');

  return (
    <Step
      number={props.number}
      title={t('order.place.title')}
      state={props.state}
      stateLabel={props.stateLabel}
    >
      <Stack>
        {isChoice && <p className="muted">{t('order.place.lead')}</p>}
        {place && !isChoice && (
          <p>
            {t('order.place.only', {
              place: [title, beside].filter(Boolean).join(', '),
            })}
          </p>
        )}
        {!place && (
          <Alert type="warning">
            {t(regions.some(each => each.available) ? 'order.place.missing' : 'order.place.none')}
          </Alert>
        )}
        {chosen?.waits && <Alert type="info">{t('order.place.waits')}</Alert>}
        {(isChoice || !place) && (
          <RadioCards
            legend={t('order.place.region')}
            hideLegend
            name="region"
            value={place?.regionId}
            onChange={regionId => choose({ ...place, regionId })}
            columns={2}
            options={open.map(({ id }) => ({ value: id, ...region(id) }))}
          />
        )}
        <SoldOut
          regions={places.regions.filter(({ id }) => regions.some(each => each.id === id && !each.available))}
        />
        <OneOf
          name="provider"
          label={t('order.place.provider')}
          value={place?.providerId}
          choices={choicesOf(inRegion, 'providerId')}
          nameOf={id => named(places.providers, id)}
          onChange={providerId => choose({ ...place, providerId })}
        />
        <OneOf
          name="vendor"
          label={t('order.place.vendor')}
          value={place?.vendorId}
          choices={choicesOf(atProvider, 'vendorId')}
          nameOf={id => named(places.vendors, id)}
          onChange={vendorId => choose({ ...place, vendorId })}
        />
      </Stack>
    </Step>
  );
}

/** Collapsed list of sold-out locations. */
function SoldOut({ regions }: { regions: Places['regions'] }) {
  const t = useText();
  if (regions.length === 0) return null;
  return (
    <Accordion
      small
      items={[
        {
          id: 'soldOut',
          title: t('order.place.more', { count: regions.length }),
          content: (
            <Stack gap={2}>
              {regions.map(region => (
                <Cluster key={region.id} justify="between">
                  <span>{regionName(region)}</span>
                  <NotifyMe region={region} />
                </Cluster>
              ))}
            </Stack>
          ),
        },
      ]}
    />
  );
}

function OneOf(props: {
  name: string;
  label: string;
  value: string | undefined;
  choices: { id: string; available: boolean }[];
  nameOf: (id: string) => string;
  onChange: (id: string) => void;
}) {
  const t = useText();
  const { name, label, value, choices, nameOf, onChange } = props;
  if (choices.length < 2) return null;
  return (
    <Select
      name={name}
      label={label}
      value={value}
      onChange={event => onChange(event.target.value)}
      options={choices.map(({ id, available }) => ({
        value: id,
        label: available ? nameOf(id) : `${nameOf(id)} – ${t('order.place.full')}`,
        disabled: !available,
      }))}
    />
  );
}
