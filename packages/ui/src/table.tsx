import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { pageNumbers } from './page-numbers.ts';
import css from './table.module.css';
import { IconChevronLeft, IconChevronRight } from './topic-icons.tsx';

type Line = 'line1' | 'line1End' | 'line2' | 'line2End';

export type Column<Row> = {
  key: string;
  header: ReactNode;
  /** `end` for amounts, in tabular figures. */
  align?: 'end';
  mono?: boolean;
  /**
   * In a narrow window: the headline of the row's block, or a cell without a name (buttons). In a
   * `dense` table the place in one of the row's two lines, at its start or its end; without one the
   * cell is left out there.
   */
  phone?: 'headline' | 'unnamed' | Line;
  cell: (row: Row) => ReactNode;
};

/**
 * A table that becomes labelled lines in a narrow window. Explicit roles: `display: block` removes
 * the table semantics.
 */
export function Table<Row>(props: {
  caption: ReactNode;
  hideCaption?: boolean;
  /** For long lists: two lines a row in a narrow window. */
  dense?: boolean;
  /** Marks the rows as being fetched again. */
  busy?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Ids of rows that can take the focus. */
  rowId?: (row: Row) => string;
  /** Shown instead of an empty table. */
  empty?: ReactNode;
}) {
  const { caption, hideCaption, dense, busy, columns, rows, rowKey, rowId, empty } = props;
  if (rows.length === 0 && empty) return empty;
  const look = (column: Column<Row>) => cx(column.align && css.end, column.align && 'tabular');
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <div className={css.frame}>
      <table className={cx(css.table, dense && css.dense)} role="table" aria-busy={busy || undefined}>
        <caption className={hideCaption ? 'visually-hidden' : undefined}>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(column => (
              <th key={column.key} scope="col" role="columnheader" className={look(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(row => (
            <tr key={rowKey(row)} role="row" id={rowId?.(row)} tabIndex={rowId && -1}>
              {columns.map(column => (
                <td
                  key={column.key}
                  role="cell"
                  className={cx(look(column), column.phone && css[column.phone])}
                >
                  <span className={css.name} aria-hidden="true">
                    {column.header}
                  </span>
                  <div
                    className={cx(css.value, column.mono && 'mono')}
                    translate={column.mono || column.align ? 'no' : undefined}
                  >
                    {column.cell(row)}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}

/** What a dense table leaves out in a narrow window. */
export const WideOnly = ({ children }: { children: ReactNode }) => (
  <span className={css.wideOnly}>{children}</span>
);

/** Page links; pages count from 1. `labels.page(n)` is the accessible name of a page. */
export function Pagination(props: {
  page: number;
  pages: number;
  onPage: (page: number) => void;
  labels: { nav: string; previous: string; next: string; page: (page: number) => string };
}) {
  const { page, pages, onPage, labels } = props;
  if (pages < 2) return null;
  return (
    <nav aria-label={labels.nav}>
      <ul className={css.pages}>
        <li>
          <IconButton
            label={labels.previous}
            icon={<IconChevronLeft />}
            disabled={page === 1}
            onClick={() => onPage(page - 1)}
          />
        </li>
        {pageNumbers(page, pages).map((number, index) =>
          number === undefined ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a gap is its position
            <li key={`gap ${index}`} className={css.dots} aria-hidden="true">
              …
            </li>
          ) : (
            <li key={number}>
              <button
                type="button"
                className={cx(css.page, 'tabular')}
                aria-label={labels.page(number)}
                aria-current={number === page ? 'page' : undefined}
                onClick={() => onPage(number)}
              >
                {number}
              </button>
            </li>
          ),
        )}
        <li>
          <IconButton
            label={labels.next}
            icon={<IconChevronRight />}
            disabled={page === pages}
            onClick={() => onPage(page + 1)}
          />
        </li>
      </ul>
    </nav>
  );
}
