import type { ReactNode } from 'react';
import css from './hero.module.css';
import { HeroDrawing, type HeroWords } from './hero-drawing.tsx';

/** The first thing of the shop: one short headline, one sentence, one main action, and the drawing of the idea. */
export function Hero(props: {
  eyebrow?: ReactNode;
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** One line under the actions; its place is kept while it is empty. */
  note?: ReactNode;
  /** What the drawing says; without it its place is kept and left empty. */
  drawing?: HeroWords | undefined;
  /** The page has time for the drawing to move. */
  settled?: boolean | undefined;
}) {
  return (
    <section className={css.hero}>
      <div className={css.words}>
        {props.eyebrow && <p className="eyebrow">{props.eyebrow}</p>}
        {/* Focus goes to the h1 after a change of route. */}
        <h1 className="display" tabIndex={-1}>
          {props.title}
        </h1>
        {props.lead && <p className="lead">{props.lead}</p>}
        {props.actions && <div className={css.actions}>{props.actions}</div>}
        {props.note !== undefined && <p className={css.note}>{props.note}</p>}
      </div>
      <div className={css.drawing}>
        {props.drawing && <HeroDrawing words={props.drawing} settled={props.settled === true} />}
      </div>
    </section>
  );
}
