import { calls } from '@fixpoint/contract/calls.ts';
import { formatMetadata } from '@fixpoint/contract/metadata.ts';
import { expect, test } from 'vitest';
import type { Caller } from '../kernel/caller.ts';
import { doneBy } from './done-actions.ts';

const caller = { userId: 'usr_1', customerId: 'cus_1' } as Caller;
const order = {
  category: 'vpn',
  reference: '01234567-89ab-4def-8123-456789abcdef',
  productId: 'prd_1',
  check: 'check',
};

test('an order that changes or re-activates a subscription is written down with it', () => {
  const { purchaseLogin, purchaseReactivate } = calls.order;
  const body = { metadata: formatMetadata({ ...order, subscriptionId: 'sub_1' }) };
  expect(doneBy(purchaseLogin, 'purchaseLogin', caller, body)).toMatchObject({
    action: 'upgrade',
    subject: 'sub_1',
  });
  expect(doneBy(purchaseReactivate, 'purchaseReactivate', caller, body)).toMatchObject({
    action: 'purchaseReactivate',
    subject: 'sub_1',
  });
  const first = doneBy(purchaseLogin, 'purchaseLogin', caller, { metadata: formatMetadata(order) });
  expect(first).toMatchObject({ action: 'purchaseLogin', subject: undefined });
});

test('a call that writes itself down is not written down twice', () => {
  expect(doneBy(calls.team.joinTeam, 'joinTeam', caller, {})).toBeUndefined();
});
