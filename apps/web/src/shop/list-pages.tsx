import { Pagination } from '@fixpoint/ui/table.tsx';
import { hashKey } from '@tanstack/react-query';
import { type TextKey, useText } from './texts.ts';

/** Items on one page of a list. */
export const PAGE_SIZE = 20;

/** The page before stays until the next is there, with the button that was pressed; never that of another choice. */
export const pageBefore =
  (choice: object) =>
  <T,>(before: T | undefined, query: { queryKey: readonly unknown[] } | undefined): T | undefined =>
    hashKey([query?.queryKey[2]]) === hashKey([choice]) ? before : undefined;

/** The pages of a list, and the way to the others. @param nav what the list is called for readers */
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
