import type { CSSProperties, ElementType, ReactNode } from 'react';
import { cx } from './cx.ts';
import css from './layout.module.css';

/** Steps of the 4 px scale that are allowed as gaps. */
export type Gap = 1 | 2 | 3 | 4 | 6 | 8 | 12 | 16 | 24;

const vars = (values: Record<`--${string}`, string>): CSSProperties => values as CSSProperties;
const space = (step: number) => `var(--space-${step})`;

/** Padded, centred column of a screen. */
export function Page(props: { width?: 'text' | 'form' | 'page'; children: ReactNode }) {
  return (
    <div className={css.page} style={vars({ '--page-width': `var(--width-${props.width ?? 'page'})` })}>
      {props.children}
    </div>
  );
}

/** Vertical layout. */
export function Stack(props: {
  gap?: Gap;
  align?: CSSProperties['alignItems'];
  as?: ElementType;
  className?: string;
  children: ReactNode;
}) {
  const { gap = 4, align, as: Tag = 'div', className, children } = props;
  return (
    <Tag className={cx(css.stack, className)} style={{ ...vars({ '--gap': space(gap) }), alignItems: align }}>
      {children}
    </Tag>
  );
}

/** Horizontal layout that wraps. */
export function Cluster(props: {
  gap?: Gap;
  justify?: 'start' | 'between' | 'end' | 'center';
  align?: CSSProperties['alignItems'];
  children: ReactNode;
}) {
  const { gap = 3, justify = 'start', align = 'center', children } = props;
  const justifyContent = justify === 'between' ? 'space-between' : justify;
  return (
    <div
      className={css.cluster}
      style={{ ...vars({ '--gap': space(gap) }), justifyContent, alignItems: align }}
    >
      {children}
    </div>
  );
}

/** Row of a button without a box: its text begins at the edge of the text above. */
export const Flush = ({ children }: { children: ReactNode }) => <div className={css.flush}>{children}</div>;

/** An element with text beside it, or below it if there is no room. */
export function Beside({ thing: element, children }: { thing: ReactNode; children: ReactNode }) {
  return (
    <div className={css.beside}>
      <div>{element}</div>
      <div>{children}</div>
    </div>
  );
}

/** Equal columns, as many as fit; never narrower than `min`. */
export function Grid(props: { min?: string; gap?: Gap; children: ReactNode }) {
  const { min = '16rem', gap = 6, children } = props;
  return (
    <div className={css.grid} style={vars({ '--gap': space(gap), '--min': min })}>
      {children}
    </div>
  );
}

/** A part of a page with its headline, set apart by space, not by a box. */
export function Section(props: {
  title?: ReactNode;
  lead?: ReactNode;
  id?: string;
  level?: 1 | 2 | 3;
  actions?: ReactNode;
  tone?: 'plain' | 'sunken';
  /** `l` is for the shop's pages: larger headline, more space. */
  size?: 'm' | 'l';
  children?: ReactNode;
}) {
  const { title, lead, id, level = 2, actions, tone, size, children } = props;
  const Heading = `h${level}` as const;
  return (
    <section
      className={cx(
        css.section,
        tone === 'sunken' && css.sunken,
        size === 'l' && css.large,
        level === 3 && css.minor,
      )}
      id={id}
    >
      {(title || actions) && (
        <div className={css.sectionHead}>
          <div className={css.sectionTitle}>
            {/* The h1 takes the focus after a change of route. */}
            {title && <Heading tabIndex={level === 1 ? -1 : undefined}>{title}</Heading>}
            {lead && <p className={level === 1 || size === 'l' ? 'lead' : 'muted'}>{lead}</p>}
          </div>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

const cardPadding = { s: space(4), m: space(6), l: `clamp(${space(6)}, 4vw, ${space(12)})` };

/** A self-contained thing: a plan, a subscription. Not a decoration around text. */
export function Card(props: {
  tone?: 'plain' | 'accent' | 'sunken';
  padding?: 's' | 'm' | 'l';
  as?: ElementType;
  /**
   * In a `Grid`: header, as high as those of the neighbouring cards, so that the content below
   * aligns.
   */
  head?: ReactNode;
  /** Footer, aligned with those of the neighbouring cards. */
  footer?: ReactNode;
  children: ReactNode;
}) {
  const { tone, padding = 'm', as: Tag = 'div', head, footer, children } = props;
  return (
    <Tag
      className={cx(
        css.card,
        tone === 'accent' && css.accent,
        tone === 'sunken' && css.cardSunken,
        footer !== undefined && css.withFooter,
        head !== undefined && css.withHead,
      )}
      style={vars({ '--card-padding': cardPadding[padding] })}
    >
      {head}
      {head === undefined ? children : <div>{children}</div>}
      {footer !== undefined && <div className={css.cardFooter}>{footer}</div>}
    </Tag>
  );
}
