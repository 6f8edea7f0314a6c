import { useLocation, useNavigate } from 'react-router';
import { useQueryParams } from './links.ts';

type Values = Record<string, string | number | undefined>;

/**
 * Page, filters and order of a list, kept in its address: Back and a reload show the same list.
 * `change` replaces the entry of the history, `turn` adds one, so that Back leads a page back.
 */
export function useListAddress() {
  const params = useQueryParams();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const go = (changes: Values, replace: boolean) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) next.delete(name);
      else next.set(name, String(value));
    }
    navigate({ pathname, search: next.toString() }, { replace });
  };
  const page = Number(params.get('page'));
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    /** A value of the address; undefined if it is none of these. */
    oneOf: <Value extends string>(name: string, values: readonly Value[]): Value | undefined =>
      values.find(value => value === params.get(name)),
    text: (name: string): string | undefined => params.get(name)?.slice(0, 100) || undefined,
    change: (changes: Values) => go({ ...changes, page: undefined }, true),
    turn: (to: number) => go({ page: to === 1 ? undefined : to }, false),
  };
}
