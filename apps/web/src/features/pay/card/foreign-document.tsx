import { cx } from '@fixpoint/ui/cx.ts';
import type { ReactNode, Ref } from 'react';
import css from './foreign-document.module.css';

type Props = {
  ref: Ref<HTMLIFrameElement>;
  place: Ref<HTMLDivElement>;
  /**
   * Undefined until it is needed; the space stays reserved. An empty frame would cost a phone 50
   * ms.
   */
  src: string | undefined;
  title: string;
  /** Height that the document asks for, CSS pixels. */
  height: number | undefined;
  /** A dialog of the document covers the page; its background is transparent. */
  covers: boolean;
  busy: boolean;
  /** Drawn until the document draws itself. */
  meanwhile?: ReactNode;
  /** Places inside that an error summary can link to. */
  anchors: { id: string; onFocus: () => void }[];
};

/**
 * Embeds a document of another origin like a part of the page: transparent, as high as its content.
 * The space stays while it covers the page, so that nothing jumps.
 */
export function ForeignDocument(props: Props) {
  const { ref, place, src, title, height, covers, busy, meanwhile, anchors } = props;
  return (
    <div ref={place} className={css.space} style={{ height }} aria-busy={busy}>
      {anchors.map(({ id, onFocus }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: only passes on the focus of a link
        <span key={id} id={id} tabIndex={-1} onFocus={onFocus} />
      ))}
      {meanwhile && <div className={css.meanwhile}>{meanwhile}</div>}
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
