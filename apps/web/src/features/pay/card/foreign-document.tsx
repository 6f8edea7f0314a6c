import { cx } from '@fixpoint/ui/cx.ts';
import type { Ref } from 'react';
import css from './foreign-document.module.css';

type Props = {
  ref: Ref<HTMLIFrameElement>;
  place: Ref<HTMLDivElement>;
  /** Undefined: it is not wanted yet; its place is kept. An empty frame costs a phone 50 ms too. */
  src: string | undefined;
  title: string;
  /** CSS pixels that the document says it needs. */
  height: number | undefined;
  /** It asks something over the whole page; its own background shows the page through. */
  covers: boolean;
  busy: boolean;
  /** Places inside that an error summary can link to. */
  anchors: { id: string; onFocus: () => void }[];
};

/**
 * A document of another origin as if it were a part of the page: transparent, as high as it needs. The space stays while
 * it covers the page, so that nothing jumps.
 */
export function ForeignDocument({ ref, place, src, title, height, covers, busy, anchors }: Props) {
  return (
    <div ref={place} className={css.space} style={{ height }} aria-busy={busy}>
      {anchors.map(({ id, onFocus }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: takes the focus of a link and hands it on, nothing more
        <span key={id} id={id} tabIndex={-1} onFocus={onFocus} />
      ))}
      {src && (
        <iframe
          ref={ref}
          className={cx(css.frame, covers && css.covering)}
          src={src}
          title={title}
          allow="payment"
        />
      )}
    </div>
  );
}
