import { expect, test } from 'vitest';
import { choicesOf, choosePlace } from './place.ts';

const offer = (regionId: string, providerId: string, vendorId: string, available = true) => ({
  regionId,
  providerId,
  vendorId,
  available,
  waits: false,
});
const offers = [
  offer('sg', 'aws', 'v1', false),
  offer('th', 'aws', 'v1'),
  offer('th', 'rack', 'v1'),
  offer('th', 'rack', 'v2'),
  offer('jp', 'aws', 'v1', false),
];

test('without a preference the first available place is chosen', () => {
  expect(choosePlace(offers, {})).toEqual({ regionId: 'th', providerId: 'aws', vendorId: 'v1' });
});

test('a preference is met as far as possible, within its region', () => {
  expect(choosePlace(offers, { regionId: 'th', providerId: 'rack', vendorId: 'v2' })?.vendorId).toBe('v2');
  expect(choosePlace(offers, { regionId: 'th', providerId: 'rack', vendorId: 'gone' })).toMatchObject({
    providerId: 'rack',
  });
  expect(choosePlace(offers, { regionId: 'jp' })).toBeUndefined();
});

test('a region is available if any of its offers is; available ones come first', () => {
  expect(choicesOf(offers, 'regionId')).toEqual([
    { id: 'th', available: true },
    { id: 'sg', available: false },
    { id: 'jp', available: false },
  ]);
});
