import type { GatewayMovement, GatewayStatement, SaleKind } from '../../ports/gateway-books.ts';
import { addUp, type Effect, effectHere, effectThere } from './under-way.ts';

/** Our books of one gateway. `fresh`: changed after the moment of the gateway's statement. */
export type OwnStatement = {
  attempts: readonly {
    id: string;
    ref: string | null;
    succeeded: boolean;
    currency: string;
    /** The shop has closed it for payments. */
    closed: boolean;
    received: number;
    fee: number | null;
    /** Its last change. */
    changedAt: Date;
    fresh: boolean;
  }[];
  refunds: readonly {
    id: string;
    ref: string | null;
    status: 'created' | 'pending' | 'succeeded' | 'failed';
    currency: string;
    amount: number;
    changedAt: Date;
    fresh: boolean;
  }[];
  /** References of booked disputes and of their payments. */
  disputed: readonly (string | null)[];
  /** Balances from the beginning, by the currency of settlement. Absent in a partial comparison. */
  balances?: Effect;
  /** Disputes that changed after the gateway's statement; `names`: references of each or of its payment. */
  moving?: readonly { names: readonly (string | null)[]; currency: string; net: number }[];
  /** References at the gateway that staff declared foreign. */
  foreign?: readonly string[];
  /** IDs of the movements that we keep. */
  kept?: ReadonlySet<string>;
  /** Kept movements that are newer than the gateway's statement. */
  newer?: readonly Pick<GatewayMovement, 'currency' | 'net' | 'sold'>[];
};

export type OwnAttempt = OwnStatement['attempts'][number];
export type OwnRefund = OwnStatement['refunds'][number];

/** Looks up the effects of a payment, refund or dispute on the gateway's balance and in the movements that we keep. */
export function effectsIn(
  { movements = [] }: Pick<Partial<GatewayStatement>, 'movements'>,
  { kept }: Pick<OwnStatement, 'kept'>,
) {
  const byName = Map.groupBy(movements, ({ kind, of }) => `${kind} ${of}`);
  const find = (kind: SaleKind, ref: string) => byName.get(`${kind} ${ref}`) ?? [];
  return {
    there: (kind: SaleKind, ref: string): Effect =>
      addUp(...find(kind, ref).map(each => [effectThere(each)] as const)),
    /** Effect in our books, with what is booked for the sale itself. */
    here: (kind: SaleKind, ref: string, booked: Effect): Effect =>
      addUp(
        [booked],
        ...find(kind, ref)
          .filter(({ id }) => kept?.has(id))
          .map(each => [effectHere(each)] as const),
      ),
  };
}

/** Finds a row by the gateway's reference, or by our ID while that is unknown. */
export function finder<T extends { id: string; ref: string | null }>(rows: readonly T[]) {
  const byRef = new Map(rows.map(row => [row.ref, row]));
  const byId = new Map(rows.map(row => [row.id, row]));
  return (ref: string, id: string | undefined): T | undefined =>
    byRef.get(ref) ?? (id === undefined ? undefined : byId.get(id));
}

export const isForeign = ({ foreign = [] }: OwnStatement, ref: string): boolean => foreign.includes(ref);
