import type { ReactNode } from 'react';
import css from './hero.module.css';
import { HeroDrawing, type HeroWords } from './hero-drawing.tsx';

/** Top of the shop's home page: headline, sentence, main action, drawing. */
export function Hero(props: {
  eyebrow?: ReactNode;
  title: ReactNode;
  lead?: ReactNode;
  /** What it is good for, in one line. */
  uses?: ReactNode;
  actions?: ReactNode;
  /** Line below the actions; its space stays reserved while it is empty. */
  note?: ReactNode;
  /** Texts of the drawing; without them its space stays empty. */
  drawing?: HeroWords | undefined;
  /** Whether the drawing may move. */
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
        {props.uses && <p>{props.uses}</p>}
        {props.actions && <div className={css.actions}>{props.actions}</div>}
        {props.note !== undefined && <p className={css.note}>{props.note}</p>}
      </div>
      <div className={css.drawing}>
        {props.drawing && <HeroDrawing words={props.drawing} settled={props.settled === true} />}
      </div>
    </section>
  );
}
