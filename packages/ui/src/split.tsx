import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import css from './layout.module.css';

/**
 * Main column with a sticky side (an order's total); the side comes last on phones. A side that is
 * higher than the window sticks by its end, where its button is.
 */
export function Split(props: { side: ReactNode; sideWidth?: string; children: ReactNode }) {
  const side = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const box = side.current;
    if (!box) return;
    const observer = new ResizeObserver(() => setHeight(box.offsetHeight));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const vars = { '--side-width': props.sideWidth ?? '22rem', '--side-height': `${height}px` };
  return (
    <div className={css.split} style={vars as CSSProperties}>
      <div>{props.children}</div>
      <div className={css.side} ref={side}>
        {props.side}
      </div>
    </div>
  );
}
