import { expect, test } from 'vitest';
import type { GatewayMovement, GatewayStatement, SaleKind } from '../../ports/gateway-books.ts';
import { compare } from './compare.ts';
import type { OwnStatement } from './statement.ts';

type Attempt = OwnStatement['attempts'][number];
type Refund = OwnStatement['refunds'][number];
type Payment = GatewayStatement['payments'][number];
type TheirRefund = GatewayStatement['refunds'][number];

const NOW = new Date('2026-11-24T12:00:00Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

const attempt: Attempt = {
  id: 'att_1',
  ref: 'pi_1',
  succeeded: true,
  closed: false,
  currency: 'THB',
  received: 19_900,
  fee: 1_726,
  changedAt: ago(5_000),
  fresh: false,
};
const payment: Payment = { ref: 'pi_1', attemptId: 'att_1', currency: 'THB', received: 19_900, net: 18_174 };
const refund: Refund = {
  id: 'ref_1',
  ref: 're_1',
  status: 'succeeded',
  currency: 'THB',
  amount: 5_000,
  changedAt: ago(5_000),
  fresh: false,
};
const theirRefund: TheirRefund = {
  ref: 're_1',
  refundId: 'ref_1',
  currency: 'THB',
  amount: 5_000,
  state: 'succeeded',
};
const movement = (kind: SaleKind, of: string, net: number): GatewayMovement => ({
  id: `txn_${kind}_${of}`,
  kind,
  category: kind,
  of,
  at: ago(4_000),
  currency: 'THB',
  net,
});

const movingDispute = { names: ['du_1', 'pi_1', null], currency: 'THB', net: -500 };
const listed = { ref: 'pi_1', currency: 'THB', net: -500 };

/** Statements of both sides with one payment and one refund, with changes of a test. Derives the balances. */
function compared(
  own: {
    attempts?: Attempt[];
    refunds?: Refund[];
    disputed?: string[];
    balance?: number;
    moving?: OwnStatement['moving'];
    foreign?: OwnStatement['foreign'];
  },
  their: {
    payments?: Payment[];
    refunds?: TheirRefund[];
    disputes?: GatewayStatement['disputes'];
    payable?: GatewayStatement['payable'];
    movements?: GatewayMovement[];
    holds?: number;
  },
) {
  const { attempts = [attempt], refunds = [refund] } = own;
  const { payments = [payment], refunds: back = [theirRefund], disputes = [] } = their;
  const sum = (amounts: number[]) => amounts.reduce((a, b) => a + b, 0);
  const booked =
    sum(attempts.map(({ succeeded, received, fee }) => (succeeded ? received - (fee ?? 0) : 0))) -
    sum(refunds.map(({ status, amount }) => (status === 'succeeded' ? amount : 0)));
  const movements = [
    ...payments.flatMap(({ ref, net }) => (net === undefined ? [] : [movement('payment', ref, net)])),
    ...back.flatMap(({ ref, state, amount }) =>
      state === 'failed' ? [] : [movement('refund', ref, -amount)],
    ),
    ...disputes.map(({ ref, net }) => movement('dispute', ref, net)),
    ...(their.movements ?? []),
  ];
  return compare(
    'stripe',
    {
      attempts,
      refunds,
      disputed: own.disputed ?? [],
      balances: { THB: own.balance ?? booked },
      moving: own.moving ?? [],
      foreign: own.foreign ?? [],
    },
    {
      payments,
      refunds: back,
      disputes,
      payable: their.payable ?? [],
      movements,
      ...(their.holds !== undefined && { held: { now: { THB: their.holds }, before: {} } }),
    },
    NOW,
  );
}
const differences = (...sides: Parameters<typeof compared>): string[] =>
  compared(...sides).found.map(({ name }) => name.split(' ')[1]!);

test('X25 equal statements have no difference', () => {
  expect(differences({}, {})).toEqual([]);
});

test('X25 of a payment that could not be read only whether it is booked is compared', () => {
  const unread = { payments: [{ ...payment, received: 19_901, unread: true as const }] };
  expect(differences({}, unread)).toEqual([]);
  const missing = { attempts: [{ ...attempt, succeeded: false }] };
  expect(differences(missing, unread)).toContain('payments');
});

test('X25 X20 money declared foreign is no difference, including the balance', () => {
  const strange = { ...payment, ref: 'pi_9', attemptId: undefined };
  const back = { ...theirRefund, ref: 're_9', refundId: undefined };
  const disputed = { ...listed, ref: 'du_9' };
  const theirs = { payments: [payment, strange], refunds: [theirRefund, back], disputes: [disputed] };
  const foreign = ['pi_9', 're_9', 'du_9'];
  expect(differences({ foreign }, theirs)).toEqual([]);
  // A dispute that turned out to be ours is in the ledger.
  const booked = { disputed: ['du_9'], foreign: ['du_9'] };
  expect(differences({ ...booked, balance: 12_674 }, { disputes: [disputed] })).toEqual([]);
  // A reference that is ours is compared despite the declaration.
  expect(differences({ foreign: ['pi_1'] }, { payments: [{ ...payment, received: 19_901 }] })).toEqual([
    'payments',
  ]);
  for (const [left, rest] of [
    ['payments', ['re_9', 'du_9']],
    ['refunds', ['pi_9', 'du_9']],
    ['disputes', ['pi_9', 're_9']],
  ] as const) {
    expect(differences({ foreign: rest }, theirs)).toEqual([left, 'balance']);
  }
});

test.each<[string, Parameters<typeof differences>, string[]]>([
  ['a charge without an attempt', [{ attempts: [] }, {}], ['payments', 'balance']],
  ['an attempt that the gateway does not know', [{}, { payments: [] }], ['payments', 'balance']],
  [
    'a charge whose attempt is closed',
    [{ attempts: [{ ...attempt, succeeded: false }] }, {}],
    ['payments', 'balance'],
  ],
  [
    'a charge whose attempt is still open and polled',
    [
      { attempts: [{ ...attempt, succeeded: false, changedAt: ago(1) }] },
      { payments: [{ ...payment, at: ago(6) }] },
    ],
    ['payments', 'balance'],
  ],
  [
    'a charge in another currency',
    [{ attempts: [{ ...attempt, currency: 'USD', changedAt: ago(1) }] }, {}],
    ['payments'],
  ],
  [
    'a fee that is not booked after an hour',
    [{ attempts: [{ ...attempt, fee: null, changedAt: ago(61) }] }, {}],
    ['payments', 'balance'],
  ],
  [
    'a payment that is not on the balance after an hour',
    [{}, { payments: [{ ...payment, net: undefined }] }],
    ['payments', 'balance'],
  ],
  [
    'a refund that has succeeded and is pending here for long',
    [{ refunds: [{ ...refund, status: 'pending' }] }, {}],
    ['refunds', 'balance'],
  ],
  ['less money at the gateway than has moved', [{}, { holds: 13_173 }], ['held']],
  ['another amount', [{}, { payments: [{ ...payment, received: 19_901 }] }], ['payments']],
  ['a fee that is a satang off', [{ attempts: [{ ...attempt, fee: 1_725 }] }, {}], ['payments', 'balance']],
  [
    'a failed refund that was made at the gateway',
    [
      {},
      {
        refunds: [theirRefund, { ...theirRefund, ref: 're_9', refundId: undefined, state: 'failed' }],
      },
    ],
    [],
  ],
  ['a refund that is not ours', [{ refunds: [] }, {}], ['refunds', 'balance']],
  ['a refund that never reached the gateway', [{}, { refunds: [] }], ['refunds', 'balance']],
  [
    'a refund that failed without an event',
    [{}, { refunds: [{ ...theirRefund, state: 'failed' }] }],
    ['refunds', 'balance'],
  ],
  ['a ledger that is a satang off', [{ balance: 13_173 }, {}], ['balance']],
  [
    'a movement at the gateway without a reference',
    [{}, { movements: [{ ...movement('refund', 're_0', -1), of: undefined }] }],
    ['balance'],
  ],
  [
    'an attempt that is closed here and payable there',
    [
      { attempts: [attempt, { ...attempt, id: 'att_2', ref: 'pi_2', succeeded: false, closed: true }] },
      { payable: [{ ref: 'pi_2', attemptId: 'att_2', currency: 'THB', amount: 19_900 }] },
    ],
    ['closed'],
  ],
  [
    'a dispute that is not booked',
    [{}, { disputes: [listed, { ...listed, net: -200 }] }],
    ['disputes', 'balance'],
  ],
  ['a dispute that is booked in part', [{ disputed: ['pi_1'] }, { disputes: [listed] }], ['balance']],
])('X25 %s is a difference', (_, sides, parts) => {
  expect(differences(...sides)).toEqual(parts);
});

test.each<[string, Parameters<typeof differences>]>([
  [
    'a payment that is there before we have its reference',
    [
      { attempts: [{ ...attempt, ref: null, succeeded: false, fee: null }] },
      { payments: [{ ...payment, at: ago(4) }] },
    ],
  ],
  ['a fee that is not known yet', [{ attempts: [{ ...attempt, fee: null, changedAt: ago(59) }] }, {}]],
  [
    'a charge without a balance entry yet',
    [
      { attempts: [{ ...attempt, fee: null, changedAt: ago(59) }] },
      { payments: [{ ...payment, net: undefined }] },
    ],
  ],
  [
    'a pending refund',
    [{ refunds: [{ ...refund, status: 'pending' }] }, { refunds: [{ ...theirRefund, state: 'pending' }] }],
  ],
  [
    'a refund that has succeeded and is pending here for a short time',
    [{ refunds: [{ ...refund, status: 'pending', changedAt: ago(59) }] }, {}],
  ],
  [
    'a refund that is not sent yet',
    [{ refunds: [{ ...refund, ref: null, status: 'created' }] }, { refunds: [] }],
  ],
  [
    'a payment after the statement of the gateway',
    [{ attempts: [attempt, { ...attempt, id: 'att_2', ref: 'pi_2', fresh: true }] }, {}],
  ],
  [
    'a refund that succeeded after the statement',
    [{ refunds: [refund, { ...refund, id: 'ref_2', ref: 're_2', fresh: true }] }, {}],
  ],
  ['a dispute that was booked after the statement', [{ moving: [movingDispute], balance: 12_674 }, {}]],
  [
    'a later dispute that the statement lists all the same',
    [{ moving: [movingDispute], disputed: ['du_1', 'pi_1'], balance: 12_674 }, { disputes: [listed] }],
  ],
])('X20 %s is under way', (_, sides) => {
  expect(differences(...sides)).toEqual([]);
});

test('X20 what is under way has a reason and an amount', () => {
  const feeUnknown = { ...attempt, fee: null, changedAt: ago(59) };
  expect(compared({ attempts: [feeUnknown] }, {}).underWay).toEqual([
    { reason: 'fee', currency: 'THB', amount: -1_726, count: 1 },
  ]);
  expect(compared({}, {}).underWay).toEqual([]);
});
