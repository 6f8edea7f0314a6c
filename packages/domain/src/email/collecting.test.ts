import { expect, test } from 'vitest';
import { latestOf, leavesAt, leavesWith } from './collecting.ts';

const at = (time: string) => new Date(`2027-01-28T${time}:00+07:00`);

test('what somebody waits for leaves at once, and what follows it within minutes leaves together', () => {
  expect(leavesAt('sitting', at('10:00'), { firstAt: undefined, lastAt: undefined })).toEqual(at('10:00'));
  const second = { firstAt: undefined, lastAt: at('10:00') };
  expect(leavesAt('sitting', at('10:09'), second)).toEqual(at('10:19'));
  expect(leavesAt('sitting', at('10:10'), second)).toEqual(at('10:10'));
});

test('a long sitting gets an email an hour', () => {
  const waiting = { firstAt: at('10:01'), lastAt: at('10:58') };
  expect(leavesAt('sitting', at('10:59'), waiting)).toEqual(at('11:01'));
});

test('changes of devices are collected for ten minutes from the first', () => {
  expect(leavesAt('minutes', at('10:00'), { firstAt: undefined, lastAt: undefined })).toEqual(at('10:10'));
  const waiting = { firstAt: at('10:00'), lastAt: at('10:07') };
  expect(leavesAt('minutes', at('10:08'), waiting)).toEqual(at('10:10'));
});

test('what nobody waits for leaves with the last that is expected on its day', () => {
  expect(leavesWith(at('10:10'), at('10:00'), undefined)).toEqual(at('10:10'));
  expect(leavesWith(at('10:10'), at('10:00'), at('15:00'))).toEqual(at('15:10'));
  // A renewal that is late is expected at any moment.
  expect(leavesWith(at('10:10'), at('10:00'), at('09:00'))).toEqual(at('10:20'));
});

test('no email of a day is held beyond its evening, nor one of the evening beyond midnight', () => {
  expect(leavesWith(at('19:59'), at('10:00'), at('19:58'))).toEqual(at('20:00'));
  expect(leavesWith(at('20:00'), at('10:00'), at('19:58'))).toEqual(at('20:00'));
  expect(leavesWith(at('10:10'), at('10:00'), at('20:00'))).toEqual(at('10:10'));
  expect(latestOf(at('20:00'))).toEqual(new Date('2027-01-29T00:00:00+07:00'));
  // The evening of Bangkok's day, also in its first hours, when it is yesterday in UTC.
  expect(latestOf(at('00:30'))).toEqual(at('20:00'));
});
