import { Pagination } from '@fixpoint/ui/table.tsx';
import { hashKey } from '@tanstack/react-query';
import { type TextKey, useText } from './texts.ts';

/** Items on one page of a list. */
export const PAGE_SIZE = 20;

/**
 * Placeholder data: the previous page of the same list stays, with its buttons, until the next one
 * arrives.
 */
export const pageBefore =
  (choice: object) =>
  <T,>(before: T | undefined, query: { queryKey: readonly unknown[] } | undefined): T | undefined =>
    hashKey([query?.queryKey[2]]) === hashKey([choice]) ? before : undefined;

/**
 * Pagination of a list.
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
  return (
    <Pagination
      page={page}
      pages={Math.ceil(total / PAGE_SIZE)}
      onPage={onPage}
      labels={{
        nav: t(nav),
        previous: t('subscriptions.previous'),
        next: t('subscriptions.next'),
        page: number => t('subscriptions.page', { page: number }),
      }}
    />
  );
}
