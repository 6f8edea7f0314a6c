import { headlineOf } from '@fixpoint/ui/lib/headline.ts';
import { Pagination } from '@fixpoint/ui/table.tsx';
import { hashKey } from '@tanstack/react-query';
import { useRef } from 'react';
import { type TextKey, useText } from './texts.ts';

/** Items on one page of a list. */
export const PAGE_SIZE = 20;

/**
 * Placeholder data: the previous page of the same list stays, with its buttons, until the next one
 * arrives; so does the list before a search, which would else be gone at each key.
 */
export const pageBefore =
  ({ search: _, ...choice }: object & { search?: string | undefined }) =>
  <T,>(before: T | undefined, query: { queryKey: readonly unknown[] } | undefined): T | undefined => {
    const { search: __, ...chosen } = (query?.queryKey[2] ?? {}) as { search?: string };
    return hashKey([chosen]) === hashKey([choice]) ? before : undefined;
  };

/** Which part of a list is shown, and how long it is; announced when it changes. */
export function ListRange({ page, total }: { page: number; total: number | undefined }) {
  const t = useText();
  const pages = Math.ceil((total ?? 0) / PAGE_SIZE);
  const first = (page - 1) * PAGE_SIZE + 1;
  return (
    <p role="status" className="muted tabular">
      {total !== undefined && first <= total && (
        <span>{t('list.range', { from: first, to: Math.min(total, page * PAGE_SIZE), total })}</span>
      )}
      {total !== undefined && pages > 1 && <span>{` · ${t('list.page', { page, pages })}`}</span>}
    </p>
  );
}

/**
 * Pagination of a list. The focus goes to the headline of the list's section: the pressed button
 * may be disabled on the next page.
 * @param nav accessible name
 */
export function ListPages(props: {
  nav: TextKey;
  page: number;
  total: number;
  onPage: (page: number) => void;
}) {
  const t = useText();
  const { nav, page, total, onPage } = props;
  const place = useRef<HTMLDivElement>(null);
  const turn = (wanted: number) => {
    const headline = headlineOf(place.current!.closest('section')!);
    headline.focus({ preventScroll: true });
    headline.scrollIntoView();
    onPage(wanted);
  };
  return (
    <div ref={place}>
      <Pagination
        page={page}
        pages={Math.ceil(total / PAGE_SIZE)}
        onPage={turn}
        labels={{
          nav: t(nav),
          previous: t('subscriptions.previous'),
          next: t('subscriptions.next'),
          page: number => t('subscriptions.page', { page: number }),
        }}
      />
    </div>
  );
}
