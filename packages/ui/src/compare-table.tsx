import type { CSSProperties, ReactNode } from 'react';
import css from './compare-table.module.css';
import { cx } from './cx.ts';

export type CompareRow = { id: string; head: ReactNode; cells: readonly ReactNode[] };

/**
 * Compares columns, one row for each property. On phones the property's name stands above its
 * values, so that nothing scrolls sideways. Explicit roles: `display: grid` removes the table
 * semantics.
 */
export function CompareTable(props: {
  caption: string;
  /** Header of the first column. */
  corner: ReactNode;
  columns: readonly { id: string; head: ReactNode }[];
  /** A group's title stands above its rows. */
  groups: readonly { id: string; title?: ReactNode; rows: readonly CompareRow[] }[];
  /** For sentences instead of figures: left-aligned, normal weight. */
  prose?: boolean;
}) {
  const { caption, corner, columns, groups, prose } = props;
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    // biome-ignore-start lint/a11y/useSemanticElements: see above
    <table
      className={cx(css.table, prose && css.prose)}
      role="table"
      style={{ '--columns': columns.length } as CSSProperties}
    >
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row" className={cx(css.row, css.headRow)}>
          <th scope="col" role="columnheader" className={css.corner}>
            {corner}
          </th>
          {columns.map(column => (
            <th key={column.id} scope="col" role="columnheader" className={css.head}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      {groups.map(group => (
        <tbody key={group.id} role="rowgroup">
          {group.title && (
            <tr role="row" className={css.groupRow}>
              <th scope="rowgroup" role="rowheader" colSpan={columns.length + 1} className={css.group}>
                {group.title}
              </th>
            </tr>
          )}
          {group.rows.map(row => (
            <tr key={row.id} role="row" className={css.row}>
              <th scope="row" role="rowheader" className={css.name}>
                {row.head}
              </th>
              {row.cells.map((cell, index) => (
                <td key={columns[index]?.id} role="cell" className={cx(css.cell, 'tabular')}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
    // biome-ignore-end lint/a11y/useSemanticElements: see above
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}
