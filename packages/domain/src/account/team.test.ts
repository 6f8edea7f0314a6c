import { describe, expect, test } from 'vitest';
import { noOwnerAfter, type Person, refusedChange, type TeamChange } from './team.ts';

const people: Person[] = [
  { userId: 'founder', role: 'owner' },
  { userId: 'second', role: 'owner' },
  { userId: 'buyer', role: 'buyer' },
];
const refused = (actor: string, change: TeamChange, of = people) => refusedChange(of, actor, change);

describe('who may change the people of a customer', () => {
  test.each([
    ['an owner invites', 'second', { kind: 'invite' }, undefined],
    [
      'an owner demotes the founder',
      'second',
      { kind: 'setRole', userId: 'founder', role: 'buyer' },
      undefined,
    ],
    ['the founder as a member', 'second', { kind: 'setRole', userId: 'founder', role: 'member' }, undefined],
    ['an owner removes a buyer', 'founder', { kind: 'remove', userId: 'buyer' }, undefined],
    ['an owner hands over', 'founder', { kind: 'handOver', userId: 'buyer' }, undefined],
    ['a second owner leaves', 'second', { kind: 'leave' }, undefined],
    ['a buyer leaves', 'buyer', { kind: 'leave' }, undefined],
    [
      'nobody demotes themselves',
      'second',
      { kind: 'setRole', userId: 'second', role: 'buyer' },
      'userNotDeletable',
    ],
    ['nobody removes themselves', 'second', { kind: 'remove', userId: 'second' }, 'userNotDeletable'],
    ['nobody hands over to themselves', 'second', { kind: 'handOver', userId: 'second' }, 'userNotDeletable'],
    ['an owner removes the founder', 'second', { kind: 'remove', userId: 'founder' }, undefined],
    ['the founder leaves', 'founder', { kind: 'leave' }, undefined],
    ['an unknown user', 'founder', { kind: 'setRole', userId: 'nobody', role: 'buyer' }, 'userNotFound'],
    ['a buyer changes nobody', 'buyer', { kind: 'remove', userId: 'second' }, 'forbidden'],
    ['a buyer invites nobody', 'buyer', { kind: 'invite' }, 'forbidden'],
    ['somebody who was removed meanwhile', 'nobody', { kind: 'leave' }, 'forbidden'],
  ] as const)('%s', (_, actor, change, expected) => {
    expect(refused(actor, change)).toBe(expected);
  });

  test.each([
    [{ kind: 'leave' }, 'actor'],
    [{ kind: 'handOver', userId: 'other' }, 'actor'],
    [{ kind: 'remove', userId: 'other' }, 'other'],
    [{ kind: 'setRole', userId: 'other', role: 'buyer' }, 'other'],
    [{ kind: 'setRole', userId: 'other', role: 'owner' }, undefined],
    [{ kind: 'invite' }, undefined],
  ] as const)('after %o %s is no owner', (change, expected) => {
    expect(noOwnerAfter(change, 'actor')).toBe(expected);
  });

  test('the last owner does not leave', () => {
    const one: Person[] = [
      { userId: 'founder', role: 'buyer' },
      { userId: 'second', role: 'owner' },
    ];
    expect(refused('second', { kind: 'leave' }, one)).toBe('userNotDeletable');
  });
});
